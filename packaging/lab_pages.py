"""Writes the man page and the bash completion of the lab from its own declaration of options.

usage: lab_pages.py TOOLS_DIR FOLDER VERSION
"""

import argparse
import sys
from pathlib import Path

HEAD = '.\\" Written by the build from the declaration of the options.\n'


def escaped(text):
    for plain, roff in (("\\", "\\e"), ("-", "\\-"), ("'", "\\(aq"), ("`", "\\(ga"),
                        ("~", "\\(ti")):
        text = text.replace(plain, roff)
    return "\n".join("\\&" + line if line.startswith(".") else line for line in text.split("\n"))


def bold(text):
    return f"\\fB{escaped(text)}\\fR"


def subcommands(parser):
    """(name, help, parser) for each."""
    for action in parser._actions:  # argparse has no other way to ask
        if isinstance(action, argparse._SubParsersAction):
            texts = {choice.dest: choice.help for choice in action._choices_actions}
            for name, sub in action.choices.items():
                yield name, texts.get(name, ""), sub


def options(parser):
    """Those with a name or a place of their own."""
    return [action for action in parser._actions
            if not isinstance(action, (argparse._SubParsersAction, argparse._HelpAction))]


def option_entry(action):
    value = f" \\fI{escaped(action.metavar or action.dest.upper())}\\fR" if action.nargs != 0 else ""
    if not action.option_strings:
        head = value.strip()
    else:
        head = ", ".join(bold(name) for name in action.option_strings) + value
    return f".TP\n{head}\n{escaped(action.help or '')}\n"


def command_entries(parser, prefix="", common=()):
    """One entry for each command, those of a command's own included."""
    text = ""
    for name, summary, sub in subcommands(parser):
        words = f"{prefix}{name}"
        own = [action for action in options(sub) if action.dest not in common]
        deeper = command_entries(sub, words + " ", common)
        text += f".TP\n{bold(words)}\n{escaped(summary)}\n"
        if own:
            text += ".RS\n" + "".join(option_entry(action) for action in own) + ".RE\n"
        text += deeper
    return text


def man_page(parser, version):
    common = {action.dest for action in options(parser)}
    prose, _, rest = parser.epilog.partition("\n\n")
    examples = "\n".join(line.strip() for line in prose.split("\n")[1:])
    return (f'{HEAD}.TH RADOSLOAD\\-LAB 1 "" "radosload {version}" "radosload"\n.nh\n.ad l\n'
            f".SH NAME\nradosload\\-lab \\- a throwaway real Ceph cluster on one machine\n"
            f".SH SYNOPSIS\n{bold('radosload-lab')} \\fICOMMAND\\fR [\\fIOPTION\\fR]...\n"
            f".SH DESCRIPTION\n{escaped(parser.description)} It runs Debian\\(aqs own daemons below "
            "a directory, beside whatever else the machine does, and removes all of it again. As "
            "root its drives are loop devices with the speed of real disks; without root they are "
            "plain files, and it says what it cannot emulate.\n"
            f".SH COMMANDS\n{command_entries(parser, common=common)}"
            ".SH OPTIONS\nEvery command takes these.\n"
            + "".join(option_entry(action) for action in options(parser))
            + f".SH EXAMPLES\n.nf\n{escaped(examples)}\n.fi\n"
            + f".SH FILES AND EXIT STATUS\n{escaped(' '.join(rest.split()))}\n"
            ".SH SEE ALSO\n\\fBradosload\\fR(1), \\fBceph\\fR(8)\n")


def choices_case(words, parser):
    choices = [name for name, _, _ in subcommands(parser)]
    names = [name for action in options(parser) for name in action.option_strings]
    return f"        '{words}') choices='{' '.join(choices)}' options='{' '.join(names)}' ;;\n"


def completion(parser, profiles):
    cases = choices_case("", parser)
    for name, _, sub in subcommands(parser):
        cases += choices_case(name, sub)
        for deeper, _, below in subcommands(sub):
            cases += choices_case(f"{name} {deeper}", below)
    return f"""# bash completion for radosload-lab, written by the build from the declaration of its options.

_radosload_lab() {{
    local word=${{COMP_WORDS[COMP_CWORD]}} last=${{COMP_WORDS[COMP_CWORD-1]}} choices='' options=''
    local commands='' i
    for ((i = 1; i < COMP_CWORD; i++)); do
        [[ ${{COMP_WORDS[i]}} == -* || ${{COMP_WORDS[i-1]}} == --dir || $commands == *' '* ]] ||
            commands+=${{commands:+ }}${{COMP_WORDS[i]}}
    done
    case $commands in
{cases}    esac
    COMPREPLY=()
    case $last in
        --dir) mapfile -t COMPREPLY < <(compgen -d -- "$word") ;;
        --profile) mapfile -t COMPREPLY < <(compgen -f -W '{' '.join(profiles)}' -- "$word") ;;
        *) mapfile -t COMPREPLY < <(compgen -W "$choices $options" -- "$word") ;;
    esac
}}

complete -F _radosload_lab radosload-lab
"""


def main(tools, folder, version):
    sys.path.insert(0, tools)
    from labkit import cli, profile
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    parser = cli.parser("radosload-lab")
    (folder / "radosload-lab.bash").write_text(completion(parser, profile.available()),
                                               encoding="utf-8")
    (folder / "radosload-lab.1").write_text(man_page(parser, version), encoding="utf-8")


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    main(*sys.argv[1:])

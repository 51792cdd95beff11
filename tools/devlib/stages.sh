# shellcheck shell=bash
# Stages: commands run one after the other, each in a session of its own, so that Ctrl-C or SIGTERM
# also ends the processes that they started. A failed stage does not stop the others; the table at
# the end and the exit status report it.

declare -a STAGE_NAMES=() STAGE_SECONDS=() STAGE_CPU=() STAGE_RESULTS=()
STAGE_GROUP=''  # the process group of the stage that is running
STAGES_FAILED=0

# The seconds that an interrupted process has to clean up.
PATIENCE=${RADOSLOAD_DEV_PATIENCE:-20}

# begin_stages CLEANUP: CLEANUP runs at every exit, after the stages have been ended.
begin_stages() {
  STAGES_CLEANUP=$1
  # Every child process inherits this variable, so detached ones are found at the end as well.
  export RADOSLOAD_DEV_RUN=$$.$EPOCHREALTIME
  trap 'end_stages' EXIT
  trap 'exit 130' INT
  trap 'exit 143' TERM HUP
}

# apart FUNCTION...: exec's a function of tools/dev in a new session. Otherwise a background job of a
# script and its children would ignore Ctrl-C.
apart() {
  exec env --default-signal=INT,QUIT setsid "$ROOT/tools/dev" _call "$@" </dev/null
}

# stage NAME FUNCTION...: runs it and notes the result. Never fails itself; see last_result.
stage() {
  local name=$1 began=$EPOCHREALTIME rc=0
  shift
  printf '\n=== %s\n' "$name"
  apart "$@" &
  STAGE_GROUP=$!
  wait "$STAGE_GROUP" || rc=$?
  end_group "$STAGE_GROUP" KILL  # what it left running
  STAGE_GROUP=''
  note_stage "$name" "$(seconds_since "$began")" "$rc"
}

# stage_here NAME FUNCTION...: the same at the terminal, for commands that may ask (sudo).
stage_here() {
  local name=$1 began=$EPOCHREALTIME rc=0
  shift
  printf '\n=== %s\n' "$name"
  "$ROOT/tools/dev" _call "$@" || rc=$?
  note_stage "$name" "$(seconds_since "$began")" "$rc"
}

# note_stage NAME SECONDS STATUS
note_stage() {
  STAGE_NAMES+=("$1")
  STAGE_SECONDS+=("$2")
  STAGE_CPU+=("$(cpu_since_last_stage "$1")")
  if [[ $3 -eq 0 ]]; then
    STAGE_RESULTS+=(ok)
  else
    STAGE_RESULTS+=(FAILED)
    # shellcheck disable=SC2034  # the exit status of dev_test and its like
    STAGES_FAILED=1
    printf '=== %s FAILED (status %s)\n' "$1" "$3"
  fi
}

# CPU seconds of all processes since the stage before, if cpu.py started this script.
cpu_since_last_stage() {
  if [[ -z ${RADOSLOAD_DEV_CPU:-} ]]; then
    printf '%s' -
  else
    "$PYTHON" -B tools/devlib/cpu.py mark "$RADOSLOAD_DEV_CPU" "$1"
  fi
}

# skip_stage NAME WHY: notes a stage that cannot run, because an earlier one has failed.
skip_stage() {
  STAGE_NAMES+=("$1")
  STAGE_SECONDS+=(-)
  STAGE_CPU+=(-)
  STAGE_RESULTS+=("not run: $2")
}

last_result() { printf '%s' "${STAGE_RESULTS[-1]}"; }

stage_table() {
  local i
  printf '\n%-22s %8s %8s  %s\n' stage seconds 'CPU s' result
  for i in "${!STAGE_NAMES[@]}"; do
    printf '%-22s %8s %8s  %s\n' "${STAGE_NAMES[i]}" "${STAGE_SECONDS[i]}" "${STAGE_CPU[i]}" \
      "${STAGE_RESULTS[i]}"
  done
}

seconds_since() {
  local now=$EPOCHREALTIME
  # Microseconds as whole numbers, rounded to tenths of a second.
  local tenths=$(((${now/./} - ${1/./} + 50000) / 100000))
  printf '%d.%d' $((tenths / 10)) $((tenths % 10))
}

# The EXIT trap.
end_stages() {
  local rc=$?
  trap '' INT TERM HUP  # a second Ctrl-C does not leave half of it behind
  trap - EXIT
  set +e
  if [[ -n $STAGE_GROUP ]]; then
    printf '\ntools/dev: interrupted, cleaning up\n' >&2
    end_group "$STAGE_GROUP" INT
  fi
  local mark=RADOSLOAD_DEV_RUN=$RADOSLOAD_DEV_RUN
  export -n RADOSLOAD_DEV_RUN  # what cleans up is not to be ended as well
  "$STAGES_CLEANUP"
  end_marked "$mark"
  exit "$rc"
}

# end_group PGID SIGNAL: sends the signal first, then TERM, then KILL.
end_group() {
  local group=$1 signal
  [[ -n $group ]] || return 0
  for signal in "$2" TERM KILL; do
    kill "-$signal" -- "-$group" 2>/dev/null || return 0
    group_gone "$group" && return
    [[ $signal != KILL ]] || return 0
  done
}

group_gone() {
  local deadline=$((SECONDS + PATIENCE))
  while kill -0 -- "-$1" 2>/dev/null; do
    [[ $SECONDS -lt $deadline ]] || return 1
    sleep 0.1
  done
}

# Prints the processes that left their group (daemons, terminals) and still run.
marked_pids() {
  local file
  grep -lzxF -- "$1" /proc/[0-9]*/environ 2>/dev/null | while read -r file; do
    file=${file#/proc/}
    printf '%s\n' "${file%/environ}"
  done
}

end_marked() {
  local -a pids
  local pid folder
  mapfile -t pids < <(marked_pids "$1")
  # The lab ends its daemons itself, because it also has to release loop devices and cgroups.
  for pid in "${pids[@]}"; do
    folder=$(tr '\0' '\n' 2>/dev/null <"/proc/$pid/environ" | sed -n 's/^RADOSLOAD_LAB_DAEMON_OF=//p')
    [[ -z $folder ]] || lab_down "$folder"
  done
  mapfile -t pids < <(marked_pids "$1")
  [[ ${#pids[@]} -eq 0 ]] || kill -KILL "${pids[@]}" 2>/dev/null
}

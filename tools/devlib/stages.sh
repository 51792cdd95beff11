# shellcheck shell=bash
# Stages: commands run one after the other, each in a session of its own, so that an end by Ctrl-C
# or SIGTERM takes whatever they started with it. A failed stage does not stop the others; the
# table at the end, and the exit status, tell.

declare -a STAGE_NAMES=() STAGE_SECONDS=() STAGE_RESULTS=()
STAGE_GROUP=''       # the process group of the stage that is running
STAGE_BACKGROUND=''  # and of the one that runs beside the others
STAGES_FAILED=0

# How long whatever was interrupted may take to clean up after itself.
PATIENCE=${RADOSLOAD_DEV_PATIENCE:-20}

# begin_stages CLEANUP: CLEANUP runs on every way out, after the stages have been ended.
begin_stages() {
  STAGES_CLEANUP=$1
  # Every process below us inherits this, and so is found at the end, however it was detached.
  export RADOSLOAD_DEV_RUN=$$.$EPOCHREALTIME
  trap 'end_stages' EXIT
  trap 'exit 130' INT
  trap 'exit 143' TERM HUP
}

# apart FUNCTION...: exec's a function of ours in a new session. A background job of a script
# would otherwise ignore Ctrl-C, and everything below it too.
apart() {
  exec env --default-signal=INT,QUIT setsid "$ROOT/tools/dev" _call "$@" </dev/null
}

# stage NAME FUNCTION...: runs it and notes how it went. Never fails itself; see last_result.
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

# stage_here NAME FUNCTION...: the same at the terminal, for what may have to ask (sudo).
stage_here() {
  local name=$1 began=$EPOCHREALTIME rc=0
  shift
  printf '\n=== %s\n' "$name"
  "$ROOT/tools/dev" _call "$@" || rc=$?
  note_stage "$name" "$(seconds_since "$began")" "$rc"
}

# stage_beside LOG FUNCTION...: starts it; join_stage waits for it and notes how it went.
stage_beside() {
  local log=$1
  shift
  rm -f "$log.seconds"
  apart timed "$log.seconds" "$@" >"$log" 2>&1 &
  STAGE_BACKGROUND=$!
}

# timed FILE FUNCTION...: the seconds it took go to the file, however it ends.
timed() {
  TIMED_SINCE=$EPOCHREALTIME TIMED_FILE=$1
  trap 'seconds_since "$TIMED_SINCE" >"$TIMED_FILE"' EXIT
  shift
  "$@"
}

join_stage() {
  local name=$1 log=$2 rc=0
  printf '\n=== %s\n' "$name"
  wait "$STAGE_BACKGROUND" || rc=$?
  STAGE_BACKGROUND=''
  [[ $rc -eq 0 ]] || cat "$log"
  note_stage "$name" "$(cat "$log.seconds" 2>/dev/null || printf '%s' -)" "$rc"
}

# note_stage NAME SECONDS STATUS
note_stage() {
  STAGE_NAMES+=("$1")
  STAGE_SECONDS+=("$2")
  if [[ $3 -eq 0 ]]; then
    STAGE_RESULTS+=(ok)
  else
    STAGE_RESULTS+=(FAILED)
    # shellcheck disable=SC2034  # the exit status of dev_test and its like
    STAGES_FAILED=1
    printf '=== %s FAILED (status %s)\n' "$1" "$3"
  fi
}

# skip_stage NAME WHY: could not run, because of another that failed and is counted already.
skip_stage() {
  STAGE_NAMES+=("$1")
  STAGE_SECONDS+=(-)
  STAGE_RESULTS+=("not run: $2")
}

last_result() { printf '%s' "${STAGE_RESULTS[-1]}"; }

stage_table() {
  local i
  printf '\n%-22s %8s  %s\n' stage seconds result
  for i in "${!STAGE_NAMES[@]}"; do
    printf '%-22s %8s  %s\n' "${STAGE_NAMES[i]}" "${STAGE_SECONDS[i]}" "${STAGE_RESULTS[i]}"
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
  if [[ -n $STAGE_GROUP$STAGE_BACKGROUND ]]; then
    printf '\ntools/dev: interrupted, cleaning up\n' >&2
    end_group "$STAGE_GROUP" INT
    end_group "$STAGE_BACKGROUND" INT
  fi
  local mark=RADOSLOAD_DEV_RUN=$RADOSLOAD_DEV_RUN
  export -n RADOSLOAD_DEV_RUN  # what cleans up is not to be ended as well
  "$STAGES_CLEANUP"
  end_marked "$mark"
  exit "$rc"
}

# end_group PGID SIGNAL: asks with the signal first, then with TERM, then not any more.
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

# Processes that left their group (daemons, terminals) and are still here.
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
  # A lab's daemons are ended by the lab: it has loop devices and cgroups to give back as well.
  for pid in "${pids[@]}"; do
    folder=$(tr '\0' '\n' 2>/dev/null <"/proc/$pid/environ" | sed -n 's/^RADOSLOAD_LAB_DAEMON_OF=//p')
    [[ -z $folder ]] || lab_down "$folder"
  done
  mapfile -t pids < <(marked_pids "$1")
  [[ ${#pids[@]} -eq 0 ]] || kill -KILL "${pids[@]}" 2>/dev/null
}

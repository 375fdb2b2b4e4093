import { type ChildProcess, spawn } from 'node:child_process'

/** A signal, and how many seconds the target has to end by it; `WAIT` sends none. */
export type Step = readonly [signal: 'WAIT' | 'INT' | 'QUIT' | 'KILL', seconds: number]

/**
 * Ends `target` when our process ends in whatever way, one that is killed too: a shell outside of it waits for the pipe
 * between them to close. A negative target is a process group. The caller kills the shell when the target has ended.
 */
export function armDeadMansSwitch(target: number, steps: readonly Step[]): ChildProcess {
  const script = `
    read -r _
    for step; do
      [ "\${step%:*}" = WAIT ] || kill -s "\${step%:*}" -- "$0"
      left=\${step#*:}
      while [ "$left" -gt 0 ]; do
        kill -s 0 -- "$0" || exit 0
        sleep 1
        left=$((left - 1))
      done
    done`
  const shell = spawn('/bin/sh', ['-c', script, String(target), ...steps.map((step) => step.join(':'))], {
    cwd: '/',
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  // It may be killed before it has begun to read.
  shell.stdin?.on('error', () => {})
  shell.unref()
  return shell
}

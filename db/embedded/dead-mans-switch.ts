import { type ChildProcess, spawn } from 'node:child_process'

/** A signal, and the seconds in which the target must end. `WAIT` sends no signal. */
export type Step = readonly [signal: 'WAIT' | 'INT' | 'QUIT' | 'KILL', seconds: number]

/**
 * Ends `target` when this process ends, even by SIGKILL: a detached shell waits until the pipe to this process closes. A
 * negative target is a process group. The caller kills the shell when the target has ended.
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
  // The shell may be killed before it reads.
  shell.stdin?.on('error', () => {})
  shell.unref()
  return shell
}

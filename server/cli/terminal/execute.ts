import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { CliError } from '../exit-codes.ts'

/** As shells report a program that cannot be run. */
const NOT_FOUND = 'ENOENT'

/**
 * Runs a program with the input and output of this process, and returns its exit code; as shells do, 128 and the number of
 * the signal that ended it. When `stop` is aborted, the program is told to end.
 * @throws CliError when it cannot be run
 */
export function execute([program = '', ...args]: string[], stop: AbortSignal): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: 'inherit' })
    const end = () => void child.kill('SIGTERM')
    stop.addEventListener('abort', end)
    child.on('error', (error: NodeJS.ErrnoException) => {
      stop.removeEventListener('abort', end)
      reject(
        new CliError(
          `${program} cannot be run: ${error.code === NOT_FOUND ? 'there is no such program' : error.message}`,
        ),
      )
    })
    child.on('close', (code, signal) => {
      stop.removeEventListener('abort', end)
      resolve(code ?? 128 + (signal ? constants.signals[signal] : 0))
    })
  })
}

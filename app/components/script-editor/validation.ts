import type { Mark } from './marks.ts'

/** What the validator in the worker is asked. `names` are the variables by scope; null while they are not loaded. */
export type ValidationRequest = {
  id: number
  script: string
  scopes: string[]
  names: Record<string, string[]> | null
}

export type ValidationReply = { id: number; marks: Mark[] }

/** Validates scripts in a thread of the browser. Only the reply to the last request is handed on. */
export function createValidation(onMarks: (marks: Mark[]) => void) {
  let last = 0
  const worker = new Worker(new URL('./validation-worker.ts', import.meta.url), { type: 'module' })
  worker.onmessage = ({ data }: MessageEvent<ValidationReply>) => {
    if (data.id === last) onMarks(data.marks)
  }
  return {
    validate(request: Omit<ValidationRequest, 'id'>) {
      last++
      worker.postMessage({ ...request, id: last } satisfies ValidationRequest)
    },
    stop: () => worker.terminate(),
  }
}

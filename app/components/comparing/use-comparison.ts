'use client'

import { useEffect, useState } from 'react'
import type { ResultOf, Task } from './tasks.ts'

/** After this time, a comparison is ended. */
const LIMIT_MS = 5_000

/** `stopped`: it took too long, or the browser has no memory for it. */
export type Comparison<R> = { kind: 'pending' } | { kind: 'stopped' } | { kind: 'done'; result: R }

/** Compares in a thread of the browser. A `task` that is another object is compared again: callers keep it in a memo. */
export function useComparison<T extends Task>(task: T): Comparison<ResultOf<T>> {
  const [last, setLast] = useState<{ task: T; comparison: Comparison<ResultOf<T>> } | null>(null)
  useEffect(() => {
    const worker = new Worker(new URL('./compare-worker.ts', import.meta.url), { type: 'module' })
    const end = () => {
      clearTimeout(timer)
      worker.terminate()
    }
    const finish = (comparison: Comparison<ResultOf<T>>) => {
      end()
      setLast({ task, comparison })
    }
    const timer = setTimeout(finish, LIMIT_MS, { kind: 'stopped' })
    worker.onmessage = ({ data }: MessageEvent<ResultOf<T>>) => finish({ kind: 'done', result: data })
    worker.onerror = () => finish({ kind: 'stopped' })
    worker.postMessage(task)
    return end
  }, [task])
  return last?.task === task ? last.comparison : { kind: 'pending' }
}

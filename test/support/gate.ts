import { type HttpTarget, startHttpTarget } from './targets/http-target.ts'

/** A target whose answers the test holds back. */
export type Gate = HttpTarget & {
  /** How many requests have come, whether or not they were answered. */
  arrived: () => number
  /** How many of them wait for their answer. */
  holding: () => number
  /** Answers what waits, and everything from now on at once. */
  open: () => void
  /** Holds answers back again. */
  shut: () => void
}

/** A loopback server that answers 200 while it is open, and keeps whoever asks waiting while it is shut. */
export async function startGate(): Promise<Gate> {
  let waiting: (() => void)[] = []
  let isOpen = false
  let arrived = 0
  const target = await startHttpTarget((_request, response) => {
    arrived++
    const answer = () => response.writeHead(200, { 'content-type': 'text/plain' }).end('through')
    if (isOpen) answer()
    else waiting.push(answer)
  })
  return {
    ...target,
    url: `http://127.0.0.1:${target.port}/`,
    arrived: () => arrived,
    holding: () => waiting.length,
    open() {
      isOpen = true
      for (const answer of waiting.splice(0)) answer()
    },
    shut() {
      isOpen = false
      waiting = []
    },
  }
}

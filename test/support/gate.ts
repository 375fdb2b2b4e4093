import { type HttpTarget, startHttpTarget } from './targets/http-target.ts'

/** A target whose responses the test can hold back. */
export type Gate = HttpTarget & {
  /** The number of requests so far. */
  arrived: () => number
  /** The number of requests that wait for their response. */
  holding: () => number
  /** Responds to waiting requests, and to later ones at once. */
  open: () => void
  /** Holds responses back again. */
  shut: () => void
}

/** Starts a loopback server that responds with 200 while it is open, and lets requests wait while it is shut. */
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

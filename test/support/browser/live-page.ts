import { LiveMessage } from '#server/schemas/live/messages.ts'
import type { Topic } from '#server/schemas/live/topics.ts'

/** An open page: collects the messages of its stream. */
export type LivePage = {
  readonly messages: LiveMessage[]
  /** The topics so far. */
  readonly topics: Topic[]
  readonly isOver: boolean
  /** The code of the error that ended the stream, if one did. */
  readonly code: string | undefined
  /** Resolves when the condition is true; a message or the end changes it. */
  until: (condition: () => boolean) => Promise<void>
  /** The browser closes the page. */
  close: () => Promise<void>
}

/** Reads the events of a response in tRPC's format. Checks every message against its schema. */
export function readLive(response: Response): LivePage {
  const messages: LiveMessage[] = []
  const waiting = new Set<() => void>()
  let isOver = false
  let code: string | undefined
  const reader = (response.body as ReadableStream<BufferSource>).pipeThrough(new TextDecoderStream()).getReader()

  const take = (block: string) => {
    const fields = new Map(block.split('\n').map((line) => line.split(/: (.*)/s, 2) as [string, string]))
    const data = fields.get('data') ?? ''
    if (fields.get('event') === undefined && data) messages.push(LiveMessage.parse(JSON.parse(data)))
    if (fields.get('event') === 'serialized-error') code = JSON.parse(data).data.code
  }
  const read = async () => {
    let rest = ''
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      const blocks = `${rest}${value}`.split(/\n{2,}/)
      rest = blocks.pop() ?? ''
      for (const block of blocks) take(block)
      for (const check of waiting) check()
    }
  }
  void read()
    .catch(() => {})
    .then(() => {
      isOver = true
      for (const check of waiting) check()
    })

  return {
    messages,
    get topics() {
      return messages.flatMap(({ topics }) => topics ?? [])
    },
    get isOver() {
      return isOver
    },
    get code() {
      return code
    },
    until: (condition) =>
      new Promise((resolve) => {
        const check = () => {
          if (!condition()) return
          waiting.delete(check)
          resolve()
        }
        waiting.add(check)
        check()
      }),
    close: () => reader.cancel(),
  }
}

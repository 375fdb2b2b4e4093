import type pg from 'pg'
import type { Source, Summary } from './manifest.ts'
import { columnList, copyIn, createRowCounter, quoted, type RowWriter } from './row-stream.ts'

export type RowReader = {
  /** Takes the next part of a source; the parts of a source follow each other. */
  add: (name: string, content: Buffer) => Promise<void>
  /** Ends the last source and returns what was inserted into each. */
  finish: () => Promise<Summary['rows']>
}

type Open = { source: string; writer: RowWriter; counter: ReturnType<typeof createRowCounter> }

/** Inserts the rows of an archive into their tables. */
export function readRows(client: pg.ClientBase, sources: Source[], onProgress: (text: string) => void): RowReader {
  const rows: Summary['rows'] = {}
  let current: Open | null = null
  const close = async () => {
    if (!current) return
    await current.writer.end()
    rows[current.source] = current.counter.result()
    current = null
  }
  return {
    async add(name, content) {
      const [, source = ''] = name.split('/')
      if (current?.source !== source) {
        await close()
        const known = sources.find((one) => one.name === source)
        if (!known || rows[source]) throw new Error(`${name} is not expected`)
        const writer = copyIn(client, `${quoted(source)} ${columnList(known.columns)}`)
        current = { source, writer, counter: createRowCounter() }
      }
      current.counter.add(content)
      await current.writer.write(content)
      onProgress(`${source}: ${current.counter.progress().rows.toLocaleString('en')} rows`)
    },
    async finish() {
      await close()
      const empty = createRowCounter().result()
      for (const { name } of sources) rows[name] ??= empty
      return rows
    },
  }
}

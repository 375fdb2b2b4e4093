import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { finished } from 'node:stream/promises'
import type pg from 'pg'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'

// Rows as PostgreSQL's COPY writes them: text, one row per line.

export type RowCount = { rows: number; bytes: number; sha256: string }

const NEWLINE = 0x0a

/** Counts rows and bytes of a stream that is passed to it in pieces. */
export function createRowCounter() {
  const hash = createHash('sha256')
  let [rows, bytes] = [0, 0]
  return {
    add(chunk: Buffer) {
      hash.update(chunk)
      bytes += chunk.length
      for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, at + 1)) rows++
    },
    progress: () => ({ rows, bytes }),
    result: (): RowCount => ({ rows, bytes, sha256: hash.digest('hex') }),
  }
}

/** Reads the rows of a query or a table in parts of about `partBytes`. */
export async function* copyOut(client: pg.ClientBase, from: string, partBytes: number): AsyncGenerator<Buffer> {
  let chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of client.query(copyTo(`copy ${from} to stdout`))) {
    chunks.push(chunk as Buffer)
    bytes += (chunk as Buffer).length
    if (bytes < partBytes) continue
    yield Buffer.concat(chunks)
    chunks = []
    bytes = 0
  }
  if (bytes > 0) yield Buffer.concat(chunks)
}

export type RowWriter = { write: (chunk: Buffer) => Promise<void>; end: () => Promise<void> }

/** Inserts rows into a table. @throws Error of the database, by any of the functions */
export function copyIn(client: pg.ClientBase, into: string): RowWriter {
  const stream = client.query(copyFrom(`copy ${into} from stdin`))
  let failure: Error | null = null
  stream.on('error', (error) => {
    failure = error
  })
  return {
    async write(chunk) {
      if (failure) throw failure
      if (!stream.write(chunk)) await once(stream, 'drain')
    },
    async end() {
      if (failure) throw failure
      stream.end()
      await finished(stream)
    },
  }
}

/** Returns a name or a list of columns in the quotes of SQL. */
export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

export function columnList(columns: string[]): string {
  return `(${columns.map(quoted).join(', ')})`
}

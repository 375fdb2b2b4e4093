import { createReadStream, createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { createZstdCompress, createZstdDecompress } from 'node:zlib'
import { extract, pack } from 'tar-stream'

// A backup is a tar file, compressed by zstd: `tar --zstd -tf FILE` lists it.

export type ArchiveWriter = {
  /** Resolves when the archive can take more, so that memory stays bounded. */
  add: (name: string, content: Buffer) => Promise<void>
  /** Completes the file. */
  finish: () => Promise<void>
  /** Ends the writing of an incomplete file. */
  abort: () => Promise<void>
}

/** Writes an archive that only the user of the process can read. */
export function writeArchive(path: string): ArchiveWriter {
  const archive = pack()
  const output = createWriteStream(path, { mode: 0o600, flush: true })
  const done = pipeline(archive, createZstdCompress(), output)
  // `add` and `finish` reject with it.
  done.catch(() => {})
  return {
    async add(name, content) {
      const added = new Promise<void>((resolve, reject) => {
        const entry = archive.entry({ name, mode: 0o600 }, content, (error) => (error ? reject(error) : resolve()))
        // Without a listener, a failure of the file would end the process.
        entry.on('error', reject)
      })
      await Promise.race([added, done.then(() => added)]).catch((error: unknown) => {
        // A failed write, such as on a full disk, also ends the archive stream.
        throw output.errored ?? error
      })
    },
    async finish() {
      archive.finalize()
      await done
    },
    async abort() {
      archive.destroy()
      await done.catch(() => {})
    },
  }
}

export type ArchiveEntry = { name: string; content: Buffer }

/** Reads the entries of an archive one after another. An entry may have at most `maxBytes`. @throws Error */
export async function* readArchive(path: string, maxBytes: number): AsyncGenerator<ArchiveEntry> {
  const entries = extract()
  const done = pipeline(createReadStream(path), createZstdDecompress(), entries)
  done.catch(() => {})
  for await (const entry of entries) {
    const { name, size = 0 } = entry.header
    if (size > maxBytes) throw new Error(`${name} is larger than any part of a backup`)
    const chunks: Buffer[] = []
    for await (const chunk of entry) chunks.push(chunk as Buffer)
    yield { name, content: Buffer.concat(chunks) }
  }
  await done
}

import { createHash } from 'node:crypto'
import { type BodyContent, piecesOf } from './body-content.ts'
import { createScratchFile, type ScratchFile } from './scratch-file.ts'
import { createUtf8Check } from './utf8-check.ts'

/** A body that was received completely, and is not stored yet. */
export type StagedBody = BodyContent & AsyncDisposable & { isUtf8: boolean }

/** A larger body goes to a file. */
const MEMORY_MAX_BYTES = 256 * 1024

/**
 * Receives a body in bounded memory: what does not fit goes to a sealed file without a name in `folder`, of which nothing
 * is left when the process ends. The caller must dispose of it.
 * @throws what the source throws
 */
export async function stageBody(source: AsyncIterable<Uint8Array>, folder: string): Promise<StagedBody> {
  const hash = createHash('sha256')
  const utf8 = createUtf8Check()
  const held: Buffer[] = []
  let file: ScratchFile | null = null
  let bytes = 0
  try {
    for await (const chunk of source) {
      for await (const piece of piecesOf(chunk)) {
        bytes += piece.length
        hash.update(piece)
        utf8.add(piece)
        if (file === null && bytes > MEMORY_MAX_BYTES) {
          file = await createScratchFile(folder)
          for (const earlier of held.splice(0)) await file.write(earlier)
        }
        if (file) await file.write(piece)
        else held.push(piece)
      }
    }
  } catch (error) {
    await file?.close()
    throw error
  }
  const written = file
  return {
    bytes,
    sha256: hash.digest(),
    isUtf8: utf8.isValid(),
    pieces: () => written?.read() ?? inMemory(held),
    [Symbol.asyncDispose]: async () => written?.close(),
  }
}

async function* inMemory(pieces: Buffer[]): AsyncGenerator<Buffer> {
  yield* pieces
}

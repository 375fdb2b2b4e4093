import zlib from 'node:zlib'

const MIB = 1024 * 1024
const BOMB_MIB = 200

/** Data that is small as sent, and far past any limit when decoded. Each is made once. */
export const gzipBomb = memoize(() => Buffer.concat(Array(BOMB_MIB / 10).fill(zlib.gzipSync(Buffer.alloc(10 * MIB)))))

export const deflateBomb = memoize(() => zlib.deflateSync(Buffer.alloc(40 * MIB)))

export const brotliBomb = memoize(() => {
  const fast = { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 5, [zlib.constants.BROTLI_PARAM_LGWIN]: 24 } }
  return zlib.brotliCompressSync(Buffer.alloc(BOMB_MIB * MIB), fast)
})

/** Gzip, and then Brotli: a few hundred bytes that stand for 200 KiB, which stand for 200 MiB. */
export const chainedBomb = memoize(() => zlib.brotliCompressSync(gzipBomb()))

/** Gzip members of 20 bytes that decode to nothing: work without output. */
export const emptyMembers = memoize(() => Buffer.concat(Array(1_000).fill(zlib.gzipSync(''))))

/** A zstd frame of one byte, whose header asks the decoder for a window of 2^27 bytes first. */
export const wideZstd = memoize(() => Buffer.from('28b52ffd00880900002a', 'hex'))

function memoize<T>(make: () => T): () => T {
  let made: { value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

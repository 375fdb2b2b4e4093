import zlib from 'node:zlib'

const MIB = 1024 * 1024
const BOMB_MIB = 40

/** Data that is small when sent and exceeds every limit when decoded. Each is built once. */
export const gzipBomb = memoize(() => Buffer.concat(Array(BOMB_MIB / 10).fill(zlib.gzipSync(Buffer.alloc(10 * MIB)))))

export const deflateBomb = memoize(() => zlib.deflateSync(Buffer.alloc(BOMB_MIB * MIB)))

export const brotliBomb = memoize(() => {
  const fast = { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 5, [zlib.constants.BROTLI_PARAM_LGWIN]: 24 } }
  return zlib.brotliCompressSync(Buffer.alloc(BOMB_MIB * MIB), fast)
})

/** Gzip in Brotli: a few hundred bytes decode to 40 KiB, and these to 40 MiB. */
export const chainedBomb = memoize(() => zlib.brotliCompressSync(gzipBomb()))

/** Gzip members of 20 bytes that decode to nothing: they cost time without output. */
export const emptyMembers = memoize(() => Buffer.concat(Array(1_000).fill(zlib.gzipSync(''))))

/** A zstd frame of one byte whose header demands a window of 2^27 bytes. */
export const wideZstd = memoize(() => Buffer.from('28b52ffd00880900002a', 'hex'))

function memoize<T>(make: () => T): () => T {
  let cached: { value: T } | undefined
  return () => {
    cached ??= { value: make() }
    return cached.value
  }
}

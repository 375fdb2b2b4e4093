import { promisify } from 'node:util'
import zlib from 'node:zlib'
import { TransportError } from '#server/lace/transport.ts'

const MAX_CODINGS = 2
// RFC 8878 asks receivers over HTTP for 8 MiB; a frame may else demand 128 MiB before its first byte.
const ZSTD_MAX_WINDOW_LOG = 23

const gunzip = promisify<Buffer, zlib.ZlibOptions, Buffer>(zlib.gunzip)
const inflate = promisify<Buffer, zlib.ZlibOptions, Buffer>(zlib.inflate)
const inflateRaw = promisify<Buffer, zlib.ZlibOptions, Buffer>(zlib.inflateRaw)
const unbrotli = promisify<Buffer, zlib.BrotliOptions, Buffer>(zlib.brotliDecompress)
const unzstd = promisify<Buffer, zlib.ZstdOptions, Buffer>(zlib.zstdDecompress)

// A decoding may hold two limits' worth of memory: those that find no place wait, however many calls there are.
const MAX_CONCURRENT = 2
const waiting: (() => void)[] = []
let running = 0

type Decoder = (data: Buffer, maxOutputLength: number) => Promise<Buffer>

const DECODERS: Record<string, Decoder> = {
  gzip: (data, maxOutputLength) => gunzip(data, { maxOutputLength }),
  // Said to be zlib's format, and by some servers sent without its header: the first byte tells which.
  deflate: (data, maxOutputLength) =>
    ((data[0] ?? 0) & 0x0f) === 8 ? inflate(data, { maxOutputLength }) : inflateRaw(data, { maxOutputLength }),
  br: (data, maxOutputLength) => unbrotli(data, { maxOutputLength }),
  zstd: (data, maxOutputLength) =>
    unzstd(data, { maxOutputLength, params: { [zlib.constants.ZSTD_d_windowLogMax]: ZSTD_MAX_WINDOW_LOG } }),
}
DECODERS['x-gzip'] = DECODERS.gzip!

/**
 * Undoes the content codings of a body, each step limited to `maxBytes`; null when one would pass that.
 *
 * A coding that is not known ends it: what stands then is returned, as browsers do. More than two codings, or data
 * that is not what its coding says, is a `TransportError`. A call that is given up starts no further decoding, and
 * rejects with the signal's reason.
 */
export async function decodeBody(
  body: Buffer,
  contentEncoding: string,
  maxBytes: number,
  signal: AbortSignal,
): Promise<Buffer | null> {
  const codings = contentEncoding
    .split(',')
    .map((coding) => coding.trim().toLowerCase())
    .filter((coding) => coding !== '' && coding !== 'identity')
  if (codings.length > MAX_CODINGS) {
    throw new TransportError('protocol', `the body has ${codings.length} content codings, more than ${MAX_CODINGS}`)
  }
  let decoded = body
  for (const coding of codings.reverse()) {
    const decode = Object.hasOwn(DECODERS, coding) ? DECODERS[coding] : undefined
    if (!decode || decoded.length === 0) break
    try {
      decoded = await withPermit(() => decode(decoded, maxBytes), signal)
    } catch (cause) {
      signal.throwIfAborted()
      if ((cause as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE') return null
      throw new TransportError('protocol', `the body is not valid ${coding}`, { cause })
    }
  }
  return decoded
}

async function withPermit<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
  if (running >= MAX_CONCURRENT) await new Promise<void>((start) => waiting.push(start))
  else running += 1
  try {
    signal.throwIfAborted()
    return await work()
  } finally {
    // The place is handed on, so that nobody slips in between.
    const next = waiting.shift()
    if (next) next()
    else running -= 1
  }
}

import { promisify } from 'node:util'
import zlib from 'node:zlib'
import { TransportError } from '#server/language/lace/transport.ts'

const MAX_CODINGS = 2
// RFC 8878 recommends 8 MiB for HTTP. Without a limit, a frame can demand 128 MiB before its first byte.
const ZSTD_MAX_WINDOW_LOG = 23

const gunzip = promisify<Buffer, zlib.ZlibOptions, Buffer>(zlib.gunzip)
const inflate = promisify<Buffer, zlib.ZlibOptions, Buffer>(zlib.inflate)
const inflateRaw = promisify<Buffer, zlib.ZlibOptions, Buffer>(zlib.inflateRaw)
const unbrotli = promisify<Buffer, zlib.BrotliOptions, Buffer>(zlib.brotliDecompress)
// The command line also runs on Node 20, which has no zstd: the body then stays as it was sent.
const unzstd = zlib.zstdDecompress && promisify<Buffer, zlib.ZstdOptions, Buffer>(zlib.zstdDecompress)

// Decoding can take twice the body limit in memory, so only a few bodies are decoded at once.
const MAX_CONCURRENT = 2
const waiting: (() => void)[] = []
let running = 0

type Decoder = (data: Buffer, maxOutputLength: number) => Promise<Buffer>

const DECODERS: Record<string, Decoder> = {
  gzip: (data, maxOutputLength) => gunzip(data, { maxOutputLength }),
  // The specification says zlib format, but some servers send raw deflate. The first byte shows which.
  deflate: (data, maxOutputLength) =>
    ((data[0] ?? 0) & 0x0f) === 8 ? inflate(data, { maxOutputLength }) : inflateRaw(data, { maxOutputLength }),
  br: (data, maxOutputLength) => unbrotli(data, { maxOutputLength }),
  ...(unzstd && {
    zstd: (data, maxOutputLength) =>
      unzstd(data, { maxOutputLength, params: { [zlib.constants.ZSTD_d_windowLogMax]: ZSTD_MAX_WINDOW_LOG } }),
  }),
}
DECODERS['x-gzip'] = DECODERS.gzip!

/**
 * Decodes the content codings of a body. Returns null when the output of a step would exceed `maxBytes`. An unknown
 * coding ends the decoding, and the bytes at that point are returned, as browsers do. After an abort, no further
 * decoding starts, and the promise rejects with the signal's reason.
 *
 * @throws TransportError when there are more than two codings or the data is invalid
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
    // The permit goes directly to the next caller, so that no other call takes it first.
    const next = waiting.shift()
    if (next) next()
    else running -= 1
  }
}

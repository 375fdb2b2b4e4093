import { ReadableStream as NodeReadableStream } from 'node:stream/web'
import { setTimeout as sleep } from 'node:timers/promises'
import { AwsClient } from 'aws4fetch'
import { SettingsError } from '../process/environment.ts'
import type { BodyContent } from './body-content.ts'
import type { BodyStore } from './body-store.ts'

/** Parallel deletions. */
const DELETIONS_MAX = 10
const RETRIES = 2
const RETRY_MS = 50

/**
 * Opens a store in an S3-compatible bucket: `s3://KEY:SECRET@bucket/prefix?region=eu-central-1` at Amazon, or the URL of
 * another server with the bucket first in its path, `https://KEY:SECRET@minio.example:9000/bucket/prefix`.
 * @throws SettingsError when the URL lacks credentials or bucket
 */
export function s3Store(url: string): BodyStore {
  const { bucket, prefix, ...credentials } = readUrl(url)
  const client = new AwsClient({ ...credentials, service: 's3', retries: RETRIES })

  const request = async (method: string, address: string, options: RequestInit = {}): Promise<Response> =>
    accept(method, await client.fetch(address, { ...options, method, redirect: 'error' }))

  const accept = async (method: string, response: Response): Promise<Response> => {
    if (response.ok || response.status === 404) return response
    await response.body?.cancel()
    throw new Error(`the bucket responded ${response.status} to ${method}`)
  }
  /** The bucket compares a body with the digest, and needs its length. */
  const signedHeaders = async (address: string, { bytes, sha256 }: BodyContent): Promise<Headers> => {
    const digest = { 'X-Amz-Content-Sha256': sha256.toString('hex') }
    const { headers } = await client.sign(address, { method: 'PUT', headers: digest })
    headers.set('Content-Length', String(bytes))
    return headers
  }
  const objectAt = (key: string) => `${bucket}/${prefix}${key}`

  /** Lists keys and common prefixes that start with `start`, without the store's own prefix. */
  async function* list(start: string, delimiter: string): AsyncGenerator<string> {
    for (let token: string | null = ''; token !== null; ) {
      const query = new URLSearchParams({ 'list-type': '2', prefix: prefix + start, delimiter })
      if (token) query.set('continuation-token', token)
      const response = await request('GET', `${bucket}/?${query}`)
      const page = await response.text()
      if (response.status === 404) throw new Error('there is no such bucket')
      for (const [, text = ''] of page.matchAll(/<(?:Key|CommonPrefixes><Prefix)>([^<]*)</g)) {
        yield unescapeXml(text).slice(prefix.length)
      }
      const next = /<NextContinuationToken>([^<]*)</.exec(page)
      token = /<IsTruncated>true</.test(page) && next ? unescapeXml(next[1] as string) : null
    }
  }

  async function removeKeys(start: string): Promise<void> {
    const keys = list(start, '')
    const work = async () => {
      for await (const key of keys) await (await request('DELETE', objectAt(key))).body?.cancel()
    }
    await Promise.all(Array.from({ length: DELETIONS_MAX }, work))
  }

  return {
    readPermits: 16,

    // The bucket's own policy controls who may read it.
    async protect() {},

    put: async (key, bytes) =>
      requireBucket(await request('PUT', objectAt(checked(key)), { body: new Uint8Array(bytes) })),

    async putStream(key, content) {
      // The client's own retries would send the rest of a stream that was read before.
      for (let failures = 0; ; failures++) {
        const response = await fetch(objectAt(checked(key)), {
          method: 'PUT',
          redirect: 'error',
          headers: await signedHeaders(objectAt(checked(key)), content),
          // The cast: the DOM types of streams differ from Node's.
          body: NodeReadableStream.from(content.pieces()) as ReadableStream<Uint8Array<ArrayBuffer>>,
          duplex: 'half',
        } as RequestInit)
        if (isFinal(response) || failures === RETRIES) return requireBucket(await accept('PUT', response))
        await response.body?.cancel()
        await sleep(RETRY_MS * 2 ** failures * Math.random())
      }
    },

    async read(key, maxBytes, signal) {
      if (!isKey(key)) return 'gone'
      const response = await request('GET', objectAt(key), { signal })
      if (response.status === 404) {
        const reason = await response.text()
        if (reason.includes('NoSuchBucket')) throw new Error('there is no such bucket')
        return 'gone'
      }
      return (await readUpTo(response, maxBytes)) ?? 'too_large'
    },

    async removeBefore(day) {
      for await (const organization of list('', '/')) {
        for await (const folder of list(organization, '/')) {
          const name = folder.slice(organization.length, -1)
          if (/^\d{4}-\d{2}-\d{2}$/.test(name) && name < day) await removeKeys(folder)
        }
      }
    },

    async removeService(organizationId, serviceId) {
      if (!isKey(organizationId) || !isKey(serviceId)) return
      for await (const folder of list(`${organizationId}/`, '/')) await removeKeys(`${folder}${serviceId}/`)
    },
  }
}

function readUrl(text: string) {
  const url = new URL(text)
  const [accessKeyId, secretAccessKey] = [decodeURIComponent(url.username), decodeURIComponent(url.password)]
  if (!accessKeyId || !secretAccessKey) {
    throw new SettingsError('BODY_STORE_URL: needs credentials, as in s3://KEY:SECRET@bucket')
  }
  const region = url.searchParams.get('region') ?? 'us-east-1'
  const path = url.pathname.split('/').filter(Boolean)
  const isAmazon = url.protocol === 's3:'
  const bucket = isAmazon ? url.hostname : path.shift()
  if (!bucket) throw new SettingsError('BODY_STORE_URL: needs a bucket, as in https://KEY:SECRET@host/bucket')
  return {
    accessKeyId,
    secretAccessKey,
    region,
    bucket: isAmazon ? `https://${bucket}.s3.${region}.amazonaws.com` : `${url.protocol}//${url.host}/${bucket}`,
    prefix: path.map((part) => `${part}/`).join(''),
  }
}

function isFinal({ status }: Response): boolean {
  return status < 500 && status !== 429
}

async function requireBucket(response: Response): Promise<void> {
  await response.body?.cancel()
  if (response.status === 404) throw new Error('there is no such bucket')
}

/** Returns null, without reading the rest, when the body is longer than `maxBytes`. */
async function readUpTo(response: Response, maxBytes: number): Promise<Buffer | null> {
  if (Number(response.headers.get('content-length') ?? 0) > maxBytes) {
    await response.body?.cancel()
    return null
  }
  const chunks: Uint8Array[] = []
  let size = 0
  // The cast: the DOM type of streams lacks the async iterator.
  for await (const chunk of (response.body ?? []) as unknown as AsyncIterable<Uint8Array>) {
    size += chunk.length
    if (size > maxBytes) return null
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** Keys of `bodyKey` are plain names between slashes. */
function isKey(key: string): boolean {
  return key.split('/').every((part) => /^[A-Za-z0-9_-]+$/.test(part))
}

function checked(key: string): string {
  if (!isKey(key)) throw new Error('The key is outside the body store')
  return key
}

function unescapeXml(text: string): string {
  const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }
  return text.replace(/&(amp|lt|gt|quot|apos);/g, (_, name: string) => entities[name] as string)
}

import { createHash, createHmac } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { type HttpTarget, readAll, startHttpTarget } from './http-target.ts'

export type S3Server = HttpTarget & {
  objects: Map<string, Buffer>
  /** Makes every request fail with a status or hang; null restores normal operation. */
  fail: (how: number | 'hang' | null) => void
}

/** Starts a minimal S3-compatible store: objects of one bucket, paged lists, and verified signatures. */
export async function startS3(options: {
  bucket: string
  key: string
  secret: string
  page?: number
}): Promise<S3Server> {
  const objects = new Map<string, Buffer>()
  let failure: number | 'hang' | null = null
  const target = await startHttpTarget(async (request, response) => {
    const body = await readAll(request)
    if (failure === 'hang') return
    const answer = (status: number, content: string | Buffer = '') => response.writeHead(status).end(content)
    if (failure !== null) return answer(failure)
    if (!isSigned(request, options)) return answer(403, '<Error><Code>SignatureDoesNotMatch</Code></Error>')
    const url = new URL(request.url ?? '/', 'http://s3')
    const root = `/${options.bucket}/`
    if (!url.pathname.startsWith(root)) return answer(404, '<Error><Code>NoSuchBucket</Code></Error>')
    const key = url.pathname.slice(root.length)
    if (key === '') return answer(200, listing(objects, url.searchParams, options.page ?? 1_000))
    if (request.method === 'PUT' && !isAnnounced(request, body)) return answer(400, '<Error/>')
    if (request.method === 'PUT') objects.set(key, body)
    if (request.method === 'DELETE') objects.delete(key)
    if (request.method !== 'GET') return answer(request.method === 'DELETE' ? 204 : 200)
    const object = objects.get(key)
    return object ? answer(200, object) : answer(404, '<Error><Code>NoSuchKey</Code></Error>')
  })
  return {
    ...target,
    objects,
    fail: (how) => {
      failure = how
    },
  }
}

/** Whether a body has the length and the digest of its headers. */
function isAnnounced({ headers }: IncomingMessage, body: Buffer): boolean {
  const digest = headers['x-amz-content-sha256']
  const isSame = digest === 'UNSIGNED-PAYLOAD' || digest === createHash('sha256').update(body).digest('hex')
  return isSame && Number(headers['content-length']) === body.length
}

function listing(objects: Map<string, Buffer>, query: URLSearchParams, size: number): string {
  const [prefix, delimiter] = [query.get('prefix') ?? '', query.get('delimiter') ?? '']
  const found = new Set<string>()
  for (const key of objects.keys()) {
    if (!key.startsWith(prefix)) continue
    const end = delimiter ? key.indexOf(delimiter, prefix.length) : -1
    found.add(end < 0 ? key : key.slice(0, end + 1))
  }
  const after = query.get('continuation-token') ?? ''
  const left = [...found].sort().filter((entry) => entry > after)
  const entries = left.slice(0, size).map((entry) => {
    const text = entry.replaceAll('&', '&amp;')
    return entry.endsWith('/')
      ? `<CommonPrefixes><Prefix>${text}</Prefix></CommonPrefixes>`
      : `<Contents><Key>${text}</Key><Size>1</Size></Contents>`
  })
  const more = left.length > size
  const token = more ? `<NextContinuationToken>${left[size - 1]?.replaceAll('&', '&amp;')}</NextContinuationToken>` : ''
  return `<?xml version="1.0"?><ListBucketResult><Prefix>${prefix.replaceAll('&', '&amp;')}</Prefix><IsTruncated>${more}</IsTruncated>${entries.join('')}${token}</ListBucketResult>`
}

/** Verifies a version 4 signature by computing it from the received request. */
function isSigned(request: IncomingMessage, { key, secret }: { key: string; secret: string }): boolean {
  const form =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/
  const [, user, day = '', region = '', names = '', signature] = form.exec(request.headers.authorization ?? '') ?? []
  if (user !== key) return false
  const url = new URL(request.url ?? '/', 'http://s3')
  const query = [...url.searchParams]
    .map(([name, value]) => `${code(name)}=${code(value)}`)
    .sort()
    .join('&')
  const headers = names.split(';').map((name) => `${name}:${request.headers[name]}\n`)
  const path = url.pathname.split('/').map((part) => code(decodeURIComponent(part)))
  const canonical = [
    request.method,
    path.join('/'),
    query,
    headers.join(''),
    names,
    request.headers['x-amz-content-sha256'],
  ]
  const digest = createHash('sha256').update(canonical.join('\n')).digest('hex')
  const scope = `${day}/${region}/s3/aws4_request`
  const text = ['AWS4-HMAC-SHA256', request.headers['x-amz-date'], scope, digest].join('\n')
  const sign = (secret: string | Buffer, text: string) => createHmac('sha256', secret).update(text).digest()
  const signing = [day, region, 's3', 'aws4_request'].reduce<string | Buffer>(sign, `AWS4${secret}`)
  return sign(signing, text).toString('hex') === signature
}

function code(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)
}

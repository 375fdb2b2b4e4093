import { mkdir, writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { BodySink } from './transport.ts'

const EXTENSIONS: Record<string, string> = {
  'application/javascript': 'js',
  'application/json': 'json',
  'application/pdf': 'pdf',
  'application/xml': 'xml',
  'image/gif': 'gif',
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/svg+xml': 'svg',
  'image/webp': 'webp',
  'text/css': 'css',
  'text/csv': 'csv',
  'text/html': 'html',
  'text/javascript': 'js',
  'text/plain': 'txt',
  'text/xml': 'xml',
}

/** Stores bodies as files in a directory, which it creates. The language defines the names: `call_0_response.json`. */
export function bodyFiles(directory: string): BodySink {
  return async ({ callIndex, body, contentType }) => {
    await mkdir(directory, { recursive: true })
    const path = resolve(directory, `call_${callIndex}_response.${extensionOf(contentType)}`)
    await writeFile(path, body)
    return path
  }
}

function extensionOf(contentType: string): string {
  const type = contentType.split(';', 1)[0]!.trim().toLowerCase()
  if (Object.hasOwn(EXTENSIONS, type)) return EXTENSIONS[type]!
  if (type.endsWith('+json')) return 'json'
  return type.endsWith('+xml') ? 'xml' : 'bin'
}

import { readdirSync, readFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { type Format, importFile } from '#server/cli/code/import/formats.ts'
import { toFolder } from '#server/cli/code/import/to-folder.ts'
import { runScript } from '#server/language/lace/executor.ts'
import { type Transport, TransportError } from '#server/language/lace/transport.ts'
import { readYaml } from '#server/language/script-import/yaml.ts'
import { parseNetworks } from '#server/scripts/target-addresses.ts'
import { createTransport } from '#worker/http/client.ts'

// Data to compare imports with their sources: files of other products, each with the verdict that its product gives on
// ten responses. `test/server/cli/code/import/sources` has the files.

export const RESPONSES = [
  ...(['right', 'wrong status', 'wrong body', 'HTML page', 'empty', 'missing field', 'wrong type'] as const),
  ...(['slow', 'redirect', 'error'] as const),
]
export type ResponseName = (typeof RESPONSES)[number]

/** A body of JSON with the status 200, or what differs from that. */
type Answer = string | { status?: number; headers?: Record<string, string>; body?: string }

/** `NAME.expected.yaml`, beside the file NAME of the other product. */
export type Expected = {
  format: Format
  /** The compared check; needed when the file has several. */
  check?: string
  /** How the verdicts follow from what the product documents. */
  why: string
  answers: Partial<Record<ResponseName, Answer>> & { right: Answer }
  /** Responses of other paths, the same in each of the ten cases. */
  paths?: Record<string, Answer>
  /** The responses that pass in the product. All others fail there. */
  passes: ResponseName[]
  /** Where the import is stricter: a part of the note that says so. */
  differs?: Partial<Record<ResponseName, string>>
  /** Whether the import is switched on; default true. */
  isActive?: boolean
  /** Values of variables that have none in the file, such as `s.token`. */
  variables?: Record<string, string>
  /** How long the slow response takes, in milliseconds; default 25,000. */
  slowMs?: number
}

export type GroundFile = { name: string; text: string; expected: Expected }

const HTML = '<!doctype html>\n<html><head><title>Welcome</title></head><body><h1>It works</h1></body></html>\n'
const HOST = /https?:\/\/shop\.example\.com|(?<![\w.])shop\.example\.com/g

export function groundFiles(folder: string): GroundFile[] {
  const files = readdirSync(folder).sort()
  return files.flatMap((file): GroundFile[] => {
    const [, name] = /^(.+)\.expected\.yaml$/.exec(file) ?? []
    if (!name) return []
    const source = files.find((one) => one.startsWith(`${name}.`) && one !== file)
    if (!source) throw new Error(`${file} has no source beside it`)
    const expected = readYaml(readFileSync(join(folder, file), 'utf8'), 100_000) as Expected
    return [{ name, text: readFileSync(join(folder, source), 'utf8'), expected }]
  })
}

/** Imports a file as `soundline import` does, with `https://shop.example.com` replaced by the target. */
export function importGround({ text, expected }: GroundFile, targetUrl: string) {
  const local = (given: string) =>
    given.replaceAll(HOST, (found) => (found.startsWith('http') ? targetUrl : new URL(targetUrl).host))
  const { folder, notes } = toFolder(importFile(expected.format, local(text)), { workspace: 'W', project: 'P' })
  const [project] = folder.projects
  const services = project?.services ?? []
  const service = expected.check ? services.find(({ file }) => file.name === expected.check) : services[0]
  if (!service || (!expected.check && services.length !== 1)) {
    throw new Error(`${services.map(({ file }) => file.name).join(', ') || 'no service'}: ${JSON.stringify(notes)}`)
  }
  const variables: Record<string, Record<string, string>> = { o: {}, w: {}, p: {}, s: {} }
  for (const [scope, entries] of [
    ['p', project?.file.variables],
    ['s', service.file.variables],
  ] as const) {
    for (const [key, { value }] of Object.entries(entries ?? {})) {
      variables[scope]![key] = local(expected.variables?.[`${scope}.${key}`] ?? value ?? 'value')
    }
  }
  return { service, variables, notes }
}

/** Responds as the case says. The path `/moved` has the right response, for clients that follow the redirect. */
export function answerGround(file: GroundFile, name: ResponseName) {
  return (request: IncomingMessage, response: ServerResponse): void => {
    const answer = answerOf(file, name, new URL(request.url ?? '/', 'http://target').pathname)
    if (answer === null) request.socket.destroy()
    else send(response, answer)
  }
}

/** Null when the connection is closed without a response. */
function answerOf({ expected }: GroundFile, name: ResponseName, path: string): Answer | null {
  const { answers, paths } = expected
  const given = paths?.[path] ?? (path === '/moved' ? answers.right : answers[name])
  if (given !== undefined) return given
  switch (name) {
    case 'wrong status':
      return withStatus(answers.right, 500)
    case 'HTML page':
      return { headers: { 'content-type': 'text/html' }, body: HTML }
    case 'empty':
      return ''
    case 'redirect':
      return { status: 302, headers: { location: '/moved' } }
    case 'error':
      return null
    default:
      return answers.right
  }
}

function withStatus(answer: Answer, status: number): Answer {
  return typeof answer === 'string' ? { status, body: answer } : { ...answer, status }
}

function send(response: ServerResponse, answer: Answer): void {
  const { status = 200, headers = {}, body = '' } = typeof answer === 'string' ? { body: answer } : answer
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body)
}

/** Runs the script of an import with the real client. Returns whether it passed. */
export async function judge(
  { service, variables }: ReturnType<typeof importGround>,
  { expected }: GroundFile,
  name: ResponseName,
): Promise<boolean> {
  const transport = timed(name === 'slow' ? (expected.slowMs ?? 25_000) : 20)
  const source = service.script ?? ''
  const result = await runScript({ source, variables, scopes: ['o', 'w', 'p', 's'], transport })
  return result.outcome === 'success'
}

/** The time that a response takes is given, so that no verdict hangs on the machine. */
function timed(responseTimeMs: number): Transport {
  const transport = createTransport({ allowedNetworks: parseNetworks(['127.0.0.0/8']) })
  return async (request) => {
    if (request.timeoutMs <= responseTimeMs) {
      throw new TransportError('timeout', `timed out after ${request.timeoutMs} ms`, { phase: 'ttfb' })
    }
    const response = await transport({ ...request, timeoutMs: 60_000 })
    return { ...response, timings: { ...response.timings, responseTimeMs, ttfbMs: responseTimeMs } }
  }
}

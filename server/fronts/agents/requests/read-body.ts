import type { z } from 'zod'
import { type StagedBody, stageBody } from '../../../bodies/staged-body.ts'
import { ApiError } from '../../../errors.ts'
import { isJson, readBody, streamBody } from '../../../http/body.ts'
import { parseJson } from '../../../http/json.ts'
import { requireStorable } from '../../../http/storable.ts'
import { describeIssues } from '../../../input-errors.ts'
import { shouldYield, yieldToEventLoop } from '../../../language/lace/event-loop.ts'
import { hasDigest, isSameDigest, readContentDigest } from '../../../signatures/content-digest.ts'
import type { AgentCall } from './gateway-context.ts'

const BODY_MS = 25_000

export type JsonBounds = { maxBytes: number; valuesMax?: number; depthMax?: number }

/**
 * Reads a body and compares it with the signed digest.
 * @throws ApiError `request_body_too_large`, `invalid_request_body`; `invalid_signature` for another body than the signed one
 */
async function readSignedBody({ request }: AgentCall, maxBytes: number): Promise<Buffer> {
  const digest = requireDigest(request)
  const read = await readBody(request, { maxBytes, maxMs: BODY_MS })
  const body = Buffer.from(read.buffer, read.byteOffset, read.byteLength)
  if (!(await hasDigest(body, digest, pauseIfBusy))) throw new ApiError('invalid_signature')
  return body
}

/**
 * Receives a body in bounded memory and compares it with the signed digest. The caller must dispose of it.
 * @throws ApiError as `readSignedBody`; Error when `folder` cannot be written
 */
export async function stageSignedBody({ request }: AgentCall, maxBytes: number, folder: string): Promise<StagedBody> {
  const digest = requireDigest(request)
  const staged = await stageBody(streamBody(request, { maxBytes, maxMs: BODY_MS }), folder)
  if (isSameDigest(staged.sha256, digest)) return staged
  await staged[Symbol.asyncDispose]()
  throw new ApiError('invalid_signature')
}

function requireDigest(request: Request): Buffer {
  const digest = readContentDigest(request.headers.get('content-digest') ?? '')
  if (!digest) throw new ApiError('invalid_signature')
  return digest
}

/**
 * Reads a JSON body and checks its shape.
 * @throws ApiError as `readSignedBody`; `invalid_request_body` or `invalid_uuid` for another shape
 */
export async function readMessage<T>(
  call: AgentCall,
  schema: z.ZodType<T>,
  { maxBytes, ...bounds }: JsonBounds,
): Promise<T> {
  const body = await readSignedBody(call, maxBytes)
  if (!isJson(call.request.headers.get('content-type'))) throw new ApiError('invalid_request_body')
  return checkShape(await parseStorable(body, bounds), schema)
}

/** Parses JSON in steps between which other requests are served. */
async function parseStorable(body: Buffer, { valuesMax, depthMax }: Omit<JsonBounds, 'maxBytes'>): Promise<unknown> {
  await pauseIfBusy()
  let value: unknown
  try {
    value = parseJson(body, valuesMax, depthMax)
  } catch {
    throw new ApiError('invalid_request_body')
  }
  await yieldToEventLoop()
  requireStorable(value, depthMax)
  await yieldToEventLoop()
  return value
}

/** @throws ApiError `invalid_request_body` or `invalid_uuid` */
export function checkShape<T>(value: unknown, schema: z.ZodType<T>): T {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  throw describeIssues(parsed.error.issues, () => 'body', value)
}

async function pauseIfBusy(): Promise<void> {
  if (shouldYield()) await yieldToEventLoop()
}

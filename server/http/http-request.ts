/**
 * The parts of a `Request` that the public API reads. The front makes them from Node's own message, because undici's
 * `Request` and `Response` cost more than the rest of a short answer.
 */
export type HttpRequest = {
  readonly method: string
  readonly headers: Pick<Headers, 'get' | 'has'>
  readonly body: ReadableStream<Uint8Array> | null
}

/** Whether the body of a response is a stream of server-sent events, which lasts as long as a page is open. */
export function isEventStream(response: Response): boolean {
  return response.headers.get('content-type')?.startsWith('text/event-stream') ?? false
}

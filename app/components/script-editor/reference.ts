// The words of the script language with their meanings: the reference on the page of the language, the completion and the
// hover help of the editor.

export type WordKind = 'method' | 'chain' | 'config' | 'scope' | 'scopeField' | 'this' | 'prev' | 'condition' | 'value'

/** `insert` is what completion inserts instead of the name; `#{}` marks where the cursor goes. */
export type Word = { name: string; text: string; insert?: string }

const call = (name: string, text: string): Word => ({
  name,
  text,
  insert: `${name}("#{$s.base}")\n.expect(status: 200)`,
})

export const WORDS: Record<WordKind, Word[]> = {
  method: [
    call('get', 'Sends a GET request.'),
    call('post', 'Sends a POST request, usually with a `body`.'),
    call('put', 'Sends a PUT request.'),
    call('patch', 'Sends a PATCH request.'),
    call('delete', 'Sends a DELETE request.'),
  ],
  chain: [
    {
      name: 'expect',
      text: 'Conditions that must hold. A failed one fails the run.',
      insert: 'expect(#{status: 200})',
    },
    {
      name: 'check',
      text: 'Conditions that are recorded only. The run can still succeed.',
      insert: 'check(#{totalDelayMs: 2000})',
    },
    {
      name: 'assert',
      text: 'Conditions on the parsed response, as `expect` or as `check`.',
      insert: 'assert({ expect: [#{this.status eq 200}] })',
    },
    {
      name: 'store',
      text: 'Stores values: `$$x` for this run, `x` in a variable of the service.',
      insert: 'store({ #{"$$name": this.body.id} })',
    },
    { name: 'wait', text: 'Waits for this many milliseconds before the next call.', insert: 'wait(#{1000})' },
  ],
  config: [
    { name: 'headers', text: 'The headers of the request.', insert: 'headers: { #{} }' },
    {
      name: 'body',
      text: 'The body of the request: `json({…})`, `form({…})` or a string.',
      insert: 'body: json({ #{} })',
    },
    { name: 'cookies', text: 'Cookies that are sent with this request.', insert: 'cookies: { #{} }' },
    {
      name: 'cookieJar',
      text: 'The cookie jar: `"inherit"`, `"fresh"`, `"selective_clear"` or `"named:NAME"`.',
      insert: 'cookieJar: "#{fresh}"',
    },
    { name: 'clearCookies', text: 'The cookies that `"selective_clear"` removes.', insert: 'clearCookies: ["#{}"]' },
    {
      name: 'redirects',
      text: 'Whether redirects are followed, and how many.',
      insert: 'redirects: { #{follow: false} }',
    },
    { name: 'security', text: 'How certificates are checked.', insert: 'security: { #{rejectInvalidCerts: true} }' },
    {
      name: 'timeout',
      text: 'The time limit of the call, and what happens after it.',
      insert: 'timeout: { ms: #{10000} }',
    },
    { name: 'follow', text: 'Of `redirects`: false shows the redirect itself.' },
    { name: 'max', text: 'Of `redirects`: the most redirects, up to 10.' },
    { name: 'resendBody', text: 'Of `redirects`: true sends the body to another origin, too.' },
    { name: 'rejectInvalidCerts', text: 'Of `security`: false accepts invalid certificates.' },
    { name: 'ms', text: 'Of `timeout`: milliseconds, up to 60,000.' },
    { name: 'action', text: 'Of `timeout`: `"fail"` (default), `"warn"` or `"retry"`.' },
    { name: 'retries', text: 'Of `timeout`: how often the call is repeated.' },
  ],
  scope: [
    { name: 'status', text: 'The status code, or a list of codes.', insert: 'status: #{200}' },
    { name: 'body', text: 'The raw body, or a JSON Schema: `schema($s.name)`.', insert: 'body: #{}' },
    { name: 'headers', text: 'Headers of the response. Names ignore case.', insert: 'headers: { #{} }' },
    { name: 'bodySize', text: 'The most bytes of the body, such as `"64k"`.', insert: 'bodySize: "#{64k}"' },
    {
      name: 'totalDelayMs',
      text: 'The most milliseconds until the response is complete.',
      insert: 'totalDelayMs: #{2000}',
    },
    { name: 'dns', text: 'Milliseconds of the name lookup.', insert: 'dns: #{200}' },
    { name: 'connect', text: 'Milliseconds until the connection is open.', insert: 'connect: #{300}' },
    { name: 'tls', text: 'Milliseconds of the TLS handshake.', insert: 'tls: #{300}' },
    { name: 'ttfb', text: 'Milliseconds until the first byte of the response.', insert: 'ttfb: #{1000}' },
    { name: 'transfer', text: 'Milliseconds in which the body is transferred.', insert: 'transfer: #{500}' },
    { name: 'size', text: 'Bytes of the response.', insert: 'size: #{65536}' },
    { name: 'redirects', text: 'The URLs to which the call was redirected.', insert: 'redirects: #{}' },
  ],
  scopeField: [
    { name: 'value', text: 'The expected value.' },
    { name: 'op', text: 'How values are compared: `eq`, `neq`, `lt`, `lte`, `gt`, `gte`.', insert: 'op: "#{lte}"' },
    { name: 'match', text: 'Which redirect is compared: `"first"`, `"last"` or `"any"`.', insert: 'match: "#{last}"' },
    {
      name: 'mode',
      text: 'For a schema: `"strict"` rejects fields that it does not declare.',
      insert: 'mode: "#{strict}"',
    },
    { name: 'options', text: 'Options of the comparison, for extensions.' },
  ],
  this: [
    { name: 'status', text: 'The status code of this response.' },
    { name: 'statusText', text: 'The status text of this response.' },
    { name: 'body', text: 'The parsed JSON body: `this.body.items`.' },
    { name: 'headers', text: 'The headers of this response, in lower case.' },
    { name: 'responseTime', text: 'Milliseconds until the response was complete.' },
    { name: 'connect', text: 'Milliseconds until the connection was open.' },
    { name: 'ttfb', text: 'Milliseconds until the first byte.' },
    { name: 'transfer', text: 'Milliseconds in which the body was transferred.' },
    { name: 'size', text: 'Bytes of the body.' },
    { name: 'redirects', text: 'The URLs to which the call was redirected.' },
    { name: 'dns', text: 'The result of the name lookup.' },
    { name: 'dnsMs', text: 'Milliseconds of the name lookup.' },
    { name: 'tls', text: 'The TLS version and the certificate.' },
    { name: 'tlsMs', text: 'Milliseconds of the TLS handshake.' },
  ],
  prev: [
    { name: 'outcome', text: 'How the previous run ended: `"success"`, `"failure"` or `"timeout"`.' },
    { name: 'calls', text: 'The calls of the previous run.' },
    { name: 'elapsedMs', text: 'How long the previous run took.' },
  ],
  condition: [
    { name: 'eq', text: 'Equal, without converting types.' },
    { name: 'neq', text: 'Not equal.' },
    { name: 'lt', text: 'Less than.' },
    { name: 'lte', text: 'Less than or equal.' },
    { name: 'gt', text: 'Greater than.' },
    { name: 'gte', text: 'Greater than or equal.' },
    { name: 'and', text: 'Both conditions hold.' },
    { name: 'or', text: 'At least one condition holds.' },
    { name: 'not', text: 'The condition does not hold.' },
    { name: 'count', text: 'The number of elements of a list. In conditions only.', insert: 'count(#{this.body})' },
    {
      name: 'includes',
      text: 'Whether a list has an element. In conditions only.',
      insert: 'includes(#{"a"}, this.body)',
    },
  ],
  value: [
    { name: 'this', text: 'The response of this call.' },
    { name: 'prev', text: 'The previous result of the service on the same agent; null before the first run.' },
    { name: 'json', text: 'A JSON body.', insert: 'json({ #{} })' },
    { name: 'form', text: 'A form body.', insert: 'form({ #{} })' },
    { name: 'schema', text: 'A JSON Schema from a variable.', insert: 'schema(#{$s.name})' },
  ],
}

/** What a group is called on the page of the language. */
export const KIND_TITLES: Record<WordKind, string> = {
  method: 'Calls',
  chain: 'Chain methods',
  config: 'Options of a call',
  scope: 'Scopes of expect and check',
  scopeField: 'Long form of a scope',
  this: 'Fields of this',
  prev: 'Fields of prev',
  condition: 'Conditions',
  value: 'Values and functions',
}

export const WORD_KINDS = Object.keys(WORDS) as WordKind[]

import { encodedText, ImportError } from './request.ts'
import { shellVariables, splitWord } from './shell.ts'

// The options of curl: what each means for a script, and whether a value follows it.

export type CurlOptions = {
  method: string | null
  urls: string[]
  headers: [string, string][]
  /** Null without an option that gives a body. */
  data: string | null
  queries: string[]
  isGet: boolean
  isHead: boolean
  isJson: boolean
  isLiteral: boolean
  user: string | null
  /** A way to sign in that a script does not have. */
  scheme: string | null
  follows: boolean
  redirectsMax: number | null
  fails: boolean
  insecure: boolean
  seconds: number | null
  /** Options that a script cannot have. */
  dropped: string[]
}

type Apply = (options: CurlOptions, value: string) => void

/** Options whose value has a meaning in a script. */
const WITH_VALUE: Record<string, Apply> = {
  '--request': (options, value) => {
    options.method = value
  },
  '--url': (options, value) => void options.urls.push(value),
  '--header': addHeader,
  '--data': (options, value) => addData(options, fileless(value).replaceAll(/[\r\n]/g, '')),
  '--data-ascii': (options, value) => addData(options, fileless(value).replaceAll(/[\r\n]/g, '')),
  '--data-binary': (options, value) => addData(options, fileless(value)),
  '--data-raw': addData,
  '--data-urlencode': (options, value) => addData(options, encodedField(value)),
  '--url-query': (options, value) =>
    void options.queries.push(value.startsWith('+') ? value.slice(1) : encodedField(value)),
  '--json': (options, value) => {
    options.isJson = true
    // Several are one text, without a sign between them.
    options.data = `${options.data ?? ''}${fileless(value)}`
  },
  '--user': (options, value) => {
    options.user = value
  },
  '--oauth2-bearer': (options, value) => void options.headers.push(['Authorization', `Bearer ${value}`]),
  '--user-agent': (options, value) => void options.headers.push(['User-Agent', value]),
  '--referer': (options, value) => void options.headers.push(['Referer', value.replace(/;auto$/, '')]),
  '--cookie': addCookie,
  '--max-time': (options, value) => {
    options.seconds = Number(value)
  },
  '--max-redirs': (options, value) => {
    options.redirectsMax = Number(value)
  },
  '--form': () => {
    throw new ImportError('Scripts cannot send multipart forms (-F).')
  },
  '--form-string': () => {
    throw new ImportError('Scripts cannot send multipart forms (-F).')
  },
  '--upload-file': () => {
    throw new ImportError('The command reads its body from a file. Paste the body instead.')
  },
  '--config': () => {
    throw new ImportError('The command reads its options from a file (-K). Write them out instead.')
  },
}

const FLAGS: Record<string, (options: CurlOptions) => void> = {
  '--get': (options) => {
    options.isGet = true
  },
  '--head': (options) => {
    options.isHead = true
  },
  '--insecure': (options) => {
    options.insecure = true
  },
  '--location': (options) => {
    options.follows = true
  },
  '--fail': (options) => {
    options.fails = true
  },
  '--fail-with-body': (options) => {
    options.fails = true
  },
  '--globoff': (options) => {
    options.isLiteral = true
  },
  '--next': () => {
    throw new ImportError('Paste a command with one request only (--next).')
  },
  ...Object.fromEntries(
    ['--digest', '--ntlm', '--negotiate', '--anyauth'].map((name) => [
      name,
      (options: CurlOptions) => {
        options.scheme = name
      },
    ]),
  ),
}

const words = (text: string) => text.trim().split(/\s+/)

/** Options for output, files and measurements do not change the verdict of a script. */
const IGNORED_WITH_VALUE = new Set(
  words(`--output --write-out --dump-header --cookie-jar --output-dir --trace --trace-ascii --trace-config --stderr
    --libcurl --etag-save --hsts --alt-svc --create-file-mode --limit-rate --keepalive-time --keepalive-cnt
    --parallel-max --rate --expect100-timeout --happy-eyeballs-timeout-ms --local-port`),
)
const IGNORED = new Set(
  words(`--silent --show-error --verbose --include --show-headers --progress-bar --no-buffer --parallel
    --parallel-immediate --compressed --create-dirs --raw --tcp-nodelay --tcp-fastopen --remote-name --remote-name-all
    --remote-header-name --remote-time --remove-on-error --junk-session-cookies --fail-early --disable --basic
    --styled-output --trace-time --trace-ids --use-ascii --xattr --tr-encoding --retry-connrefused --retry-all-errors
    --disallow-username-in-url --suppress-connect-headers --ca-native --false-start --skip-existing --clobber`),
)

/** Options that a script cannot have. */
const DROPPED_WITH_VALUE = new Set(
  words(`--connect-timeout --retry --retry-delay --retry-max-time --max-filesize --speed-limit --speed-time --proxy
    --proxy-user --proxy-header --preproxy --socks4 --socks4a --socks5 --socks5-hostname --noproxy --proxy-cacert
    --cacert --capath --cert --key --cert-type --key-type --pass --ciphers --tls13-ciphers --curves --tls-max --crlfile
    --pinnedpubkey --resolve --connect-to --dns-servers --dns-interface --doh-url --interface --unix-socket
    --abstract-unix-socket --range --continue-at --time-cond --aws-sigv4 --delegation --service-name --netrc-file
    --etag-compare --haproxy-clientip --login-options --request-target --proto --proto-redir --proto-default --engine
    --quote --ech --vlan-priority --ip-tos --sasl-authzid --tlsauthtype --tlsuser --tlspassword --random-file`),
)
const DROPPED = new Set(
  words(`--location-trusted --http0.9 --http1.0 --http1.1 --http2 --http2-prior-knowledge --http3 --http3-only --ipv4
    --ipv6 --post301 --post302 --post303 --netrc --netrc-optional --proxytunnel --proxy-insecure --proxy-basic
    --proxy-digest --proxy-ntlm --proxy-negotiate --proxy-anyauth --path-as-is --cert-status --ssl --ssl-reqd
    --ssl-allow-beast --ssl-no-revoke --sslv2 --sslv3 --tlsv1 --tlsv1.0 --tlsv1.1 --tlsv1.2 --tlsv1.3
    --ignore-content-length --haproxy-protocol --doh-insecure --append --crlf --sasl-ir`),
)

/** Without these, less is a failure. */
export const LAXER = new Set(
  words(`--connect-timeout --max-filesize --speed-limit --speed-time --cacert --capath --crlfile --pinnedpubkey --proto
    --proto-redir --cert-status --tls-max --ciphers --tls13-ciphers --curves`),
)

const SHORT: Record<string, string> = {
  ...{ X: '--request', H: '--header', d: '--data', u: '--user', A: '--user-agent', e: '--referer', b: '--cookie' },
  ...{ m: '--max-time', F: '--form', G: '--get', I: '--head', k: '--insecure', L: '--location', f: '--fail' },
  ...{ g: '--globoff', ':': '--next', T: '--upload-file', K: '--config', o: '--output', w: '--write-out' },
  ...{ D: '--dump-header', c: '--cookie-jar', s: '--silent', S: '--show-error', v: '--verbose', i: '--include' },
  ...{ '#': '--progress-bar', N: '--no-buffer', Z: '--parallel', O: '--remote-name', J: '--remote-header-name' },
  ...{ R: '--remote-time', j: '--junk-session-cookies', q: '--disable', B: '--use-ascii', x: '--proxy', a: '--append' },
  ...{ U: '--proxy-user', E: '--cert', r: '--range', C: '--continue-at', z: '--time-cond', Q: '--quote' },
  ...{ Y: '--speed-limit', y: '--speed-time', 0: '--http1.0', 4: '--ipv4', 6: '--ipv6', n: '--netrc' },
  ...{ p: '--proxytunnel', 1: '--tlsv1', 2: '--sslv2', 3: '--sslv3' },
}

/** Applies the options of a word. Returns how many further words they take. @throws ImportError */
export function applyOption(options: CurlOptions, word: string, next: string | undefined): 0 | 1 {
  if (word.startsWith('--')) return applyNamed(options, word, null, next)
  // `-sSLo/dev/null`: several flags in one word, and the value of the last one.
  for (let at = 1; at < word.length; at++) {
    const long = SHORT[word[at] as string]
    if (!long) throw new ImportError(`curl has no option -${word[at]}.`)
    const attached = word.slice(at + 1)
    if (takesValue(long)) return applyNamed(options, long, attached || null, next)
    applyNamed(options, long, null, undefined)
  }
  return 0
}

function takesValue(long: string): boolean {
  return long in WITH_VALUE || IGNORED_WITH_VALUE.has(long) || DROPPED_WITH_VALUE.has(long)
}

function applyNamed(options: CurlOptions, long: string, attached: string | null, next: string | undefined): 0 | 1 {
  if (takesValue(long)) {
    const value = attached ?? next
    if (value === undefined) throw new ImportError(`The option ${long} needs a value.`)
    WITH_VALUE[long]?.(options, value)
    if (DROPPED_WITH_VALUE.has(long)) options.dropped.push(long)
    return attached === null ? 1 : 0
  }
  if (DROPPED.has(long)) options.dropped.push(long)
  if (long === '--location-trusted') options.follows = true
  const isKnown = FLAGS[long] || IGNORED.has(long) || DROPPED.has(long) || long.startsWith('--no-')
  // Whether a value follows is not known, so the rest cannot be read either.
  if (!isKnown) throw new ImportError(`The option ${long.slice(0, 40)} is not known.`)
  FLAGS[long]?.(options)
  return 0
}

/** `Name: value`, `Name;` for an empty value, and `Name:` for a header that curl leaves out. */
function addHeader(options: CurlOptions, value: string): void {
  if (value.startsWith('@')) {
    options.dropped.push('--header with a file')
    return
  }
  const [, name = '', separator, text = ''] = /^([^:;]*)([:;])([\s\S]*)$/.exec(value) ?? []
  if (separator === undefined || (separator === ';' && text.trim() !== '')) {
    options.dropped.push('--header without a colon')
    return
  }
  if (shellVariables(name).length > 0) {
    options.dropped.push('--header with a name that is a variable')
    return
  }
  options.headers.push([name.trim(), separator === ';' ? '' : text.trim() || LEFT_OUT])
}

/** The value of a header that is left out. No word has it. */
export const LEFT_OUT = '\0'

function addData(options: CurlOptions, value: string): void {
  options.data = options.data ? `${options.data}&${value}` : value
}

/** A value without `=` names a file. */
function addCookie(options: CurlOptions, value: string): void {
  if (value === '') return
  if (value.includes('=') || shellVariables(value).length > 0) options.headers.push(['Cookie', value])
  else options.dropped.push('--cookie with a file')
}

function fileless(value: string): string {
  if (value.startsWith('@')) throw new ImportError('The command reads its body from a file. Paste the body instead.')
  return value
}

/** `name=text`, `=text` or `text`; `name@file` reads a file. */
function encodedField(value: string): string {
  const [, name = '', separator, text = ''] = /^([^=@]*)([=@])([\s\S]*)$/.exec(value) ?? []
  if (separator === undefined) return encodedText(value, splitWord)
  if (separator === '@') throw new ImportError('The command reads its body from a file. Paste the body instead.')
  return `${name}${name && '='}${encodedText(text, splitWord)}`
}

import { type Call, TIMEOUT_ACTIONS } from '../ast.ts'
import { readCookieJarMode } from '../cookie-jar-mode.ts'
import { didYouMean, quote } from '../suggest.ts'
import type { Report } from './report.ts'

export type ConfigLimits = { maxRedirects: number; maxTimeoutMs: number }

const JAR_MODES = ['inherit', 'fresh', 'selective_clear']
const CONFIG_FIELDS = 'headers body cookies cookieJar clearCookies redirects security timeout'.split(' ')

/** Checks a call's config, except its expressions. */
export function checkConfig(call: Call, index: number, report: Report, limits: ConfigLimits): void {
  const { config } = call
  if (!config) return
  const { redirects, timeout } = config
  const reportField = (code: Parameters<Report>[0], field: string, detail: string, node: object, nodeField?: string) =>
    report(code, index, undefined, field, () => detail, node, nodeField)

  if (redirects?.max !== undefined && redirects.max > limits.maxRedirects) {
    reportField(
      'REDIRECTS_MAX_LIMIT',
      'redirects.max',
      `\`redirects.max\` must be at most ${limits.maxRedirects}`,
      redirects,
      'max',
    )
  }
  if (timeout) {
    const { ms, action, retries } = timeout
    if (ms !== undefined && (ms < 1 || ms > limits.maxTimeoutMs)) {
      reportField(
        'TIMEOUT_MS_LIMIT',
        'timeout.ms',
        `\`timeout.ms\` must be from 1 to ${limits.maxTimeoutMs}`,
        timeout,
        'ms',
      )
    }
    const known = action === undefined || TIMEOUT_ACTIONS.includes(action)
    if (!known) {
      const hint = didYouMean(action, TIMEOUT_ACTIONS) || '; the actions are "fail", "warn" and "retry"'
      reportField(
        'TIMEOUT_ACTION_INVALID',
        'timeout.action',
        `${quote(action)} is not a timeout action${hint}`,
        timeout,
        'action',
      )
    }
    if (retries !== undefined && known && action !== 'retry') {
      const detail = '`timeout.retries` needs `action: "retry"`'
      reportField('TIMEOUT_RETRIES_REQUIRES_RETRY', 'timeout.retries', detail, timeout, 'retries')
    }
  }
  checkCookieJar(call, index, report)
  checkExtensionFields(call, index, report)
}

function checkCookieJar(call: Call, index: number, report: Report): void {
  const config = call.config!
  const { cookieJar: jar, clearCookies } = config
  const mode = readCookieJarMode(jar ?? 'inherit')
  if (jar === 'named:') {
    const detail = () => 'a named jar needs a name, as in "named:admin"'
    report('COOKIE_JAR_NAMED_EMPTY', index, undefined, 'cookieJar', detail, config, 'cookieJar')
  } else if (jar !== undefined && mode === null) {
    const detail = () =>
      `${quote(jar)} is not a cookie jar${didYouMean(jar, JAR_MODES) || '; the forms are "inherit", "fresh", "selective_clear", "named:NAME" and "NAME:selective_clear", where NAME has letters, digits, `_` and `-`'}`
    report('COOKIE_JAR_FORMAT', index, undefined, 'cookieJar', detail, config, 'cookieJar')
  }
  if (clearCookies !== undefined && !mode?.clears) {
    const detail = () => '`clearCookies` needs `cookieJar: "selective_clear"` or `cookieJar: "NAME:selective_clear"`'
    report('CLEAR_COOKIES_WRONG_JAR', index, undefined, 'clearCookies', detail, config, 'clearCookies')
  }
}

/** Fields of extensions that the executor implements. */
const ACTIVE_FIELDS = new Set(['redirects.resendBody'])

/** Unknown fields may belong to an extension, so they cause a warning, not an error. */
function checkExtensionFields(call: Call, index: number, report: Report): void {
  const config = call.config!
  const objects = [
    { node: config, prefix: '', known: CONFIG_FIELDS },
    { node: config.redirects, prefix: 'redirects.', known: ['follow', 'max', 'resendBody'] },
    { node: config.security, prefix: 'security.', known: ['rejectInvalidCerts'] },
    { node: config.timeout, prefix: 'timeout.', known: ['ms', 'action', 'retries'] },
  ]
  for (const { node, prefix, known } of objects) {
    for (const name of Object.keys(node?.extensions ?? {})) {
      if (ACTIVE_FIELDS.has(prefix + name)) continue
      const detail = () =>
        `no extension knows the field ${quote(prefix + name)}, so it has no effect${didYouMean(name, known)}`
      report('EXT_FIELD_INACTIVE', index, undefined, prefix + name, detail, node!, `extensions.${name}`)
    }
  }
}

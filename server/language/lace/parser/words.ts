/** Reserved words: fields of extensions and functions cannot have these names. */
export const KEYWORDS: ReadonlySet<string> = new Set(
  [
    'get post put patch delete',
    'expect check assert store wait',
    'headers body cookies cookieJar clearCookies redirects security timeout',
    'follow max rejectInvalidCerts ms action retries',
    'status bodySize totalDelayMs dns connect tls ttfb transfer size',
    'value op match mode options condition',
    'json form schema this prev null true false',
    'eq neq lt lte gt gte and or not',
  ]
    .join(' ')
    .split(' '),
)

/** Fields of an expect scope's long form. */
export const EXPECT_SCOPE_FIELDS: readonly string[] = ['value', 'op', 'match', 'mode', 'options']

export const HELPERS = ['json', 'form', 'schema'] as const
/** Functions that are allowed only in conditions of `.assert()`. */
export const ASSERT_HELPERS = ['count', 'includes'] as const

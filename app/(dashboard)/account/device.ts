/** Returns for example `Firefox on Linux`. The order of names matters: user agents contain the names of other browsers. */
export function deviceOf(userAgent: string): string {
  const browser = ['Edg', 'OPR', 'Firefox', 'Chrome', 'Safari'].find((name) => userAgent.includes(`${name}/`))
  const system = ['Android', 'iPhone', 'iPad', 'Windows', 'Mac OS X', 'Linux'].find((name) => userAgent.includes(name))
  const label = { Edg: 'Edge', OPR: 'Opera' }[browser ?? ''] ?? browser
  if (!label) return userAgent.slice(0, 60) || 'Unknown browser'
  return system ? `${label} on ${system === 'Mac OS X' ? 'macOS' : system}` : label
}

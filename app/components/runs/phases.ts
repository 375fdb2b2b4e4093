/** The phases of a call, in order. */
export const PHASES = [
  { key: 'dnsMs', label: 'DNS' },
  { key: 'connectMs', label: 'Connect' },
  { key: 'tlsMs', label: 'TLS' },
  { key: 'ttfbMs', label: 'First byte' },
  { key: 'transferMs', label: 'Transfer' },
] as const

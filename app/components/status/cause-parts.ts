/**
 * Splits a cause such as `GET https://shop.example/cart: status 500, expected 200` into its request and what is wrong
 * with it. A long address must not hide what is wrong. `request` is null for a run that failed as a whole.
 */
export function causeParts(cause: string): { request: string | null; reason: string } {
  const [, request, reason] = /^([A-Z]+ \S+): (.+)$/s.exec(cause) ?? []
  return request && reason ? { request, reason } : { request: null, reason: cause }
}

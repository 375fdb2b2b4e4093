import { randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'

/**
 * Sets the security headers of a dashboard page (CSP and others) on `response`, and passes the nonce to Next in headers of
 * `request`. Next reads the nonce of its own scripts from the policy header; the root layout reads `x-nonce` for styles
 * that components add at run time.
 */
export function securePage(request: IncomingMessage, response: ServerResponse, options: { dev: boolean }): void {
  const nonce = randomBytes(16).toString('base64')
  const policy = contentSecurityPolicy(nonce, options.dev)
  request.headers['content-security-policy'] = policy
  request.headers['x-nonce'] = nonce
  // A layout does not know its page's path, and needs it to return there after sign-in.
  request.headers['x-page-path'] = request.url ?? '/'
  response.setHeader('Content-Security-Policy', policy)
  response.setHeader('X-Content-Type-Options', 'nosniff')
  response.setHeader('X-Frame-Options', 'DENY')
  response.setHeader('Referrer-Policy', 'same-origin')
  response.setHeader('Cross-Origin-Opener-Policy', 'same-origin')
  response.setHeader('Permissions-Policy', 'camera=(), geolocation=(), microphone=()')
}

function contentSecurityPolicy(nonce: string, dev: boolean): string {
  return [
    `default-src 'none'`,
    // React rebuilds server stack traces with eval, in development only.
    `script-src 'self' 'nonce-${nonce}' 'strict-dynamic'${dev ? " 'unsafe-eval'" : ''}`,
    // Next's development overlay adds inline styles.
    dev ? `style-src 'self' 'unsafe-inline'` : `style-src 'self' 'nonce-${nonce}'`,
    // Components set sizes and colours as style attributes, which carry no nonce.
    `style-src-attr 'unsafe-inline'`,
    `img-src 'self' data:`,
    `font-src 'self'`,
    `connect-src 'self'`,
    `worker-src 'self'`,
    `manifest-src 'self'`,
    `object-src 'none'`,
    `base-uri 'none'`,
    `form-action 'self'`,
    `frame-ancestors 'none'`,
  ].join('; ')
}

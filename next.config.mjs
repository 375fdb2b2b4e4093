// Next sends telemetry by default. The product must not send any.
process.env.NEXT_TELEMETRY_DISABLED = '1'

/** @type {import('next').NextConfig} */
export default {
  poweredByHeader: false,
  reactStrictMode: true,
  // server/http/front.ts checks paths. A redirect by Next would precede it.
  skipTrailingSlashRedirect: true,
  // `npm run typecheck` and `npm test` check types, so the build on the first start need not.
  typescript: { ignoreBuildErrors: true },
  // The documentation as Markdown. Next has no route such as `[operationId].md`.
  rewrites: async () => [{ source: '/:path(docs|docs/.*).md', destination: '/docs/markdown/:path' }],
  agentRules: false,
  devIndicators: false,
  images: { unoptimized: true },
  experimental: {
    agentUpgrade: false,
    // An installation builds once for each version: writing 200 MB for a next build, and maps that nothing reads, takes
    // a third of the time.
    turbopackFileSystemCacheForBuild: false,
    turbopackSourceMaps: false,
  },
}

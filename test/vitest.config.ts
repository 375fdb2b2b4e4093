import { defineConfig } from 'vitest/config'
import { LongestFirst } from './support/vitest/longest-first.ts'

export default defineConfig({
  root: new URL('..', import.meta.url).pathname,
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['node_modules/**', '.test/**'],
    globalSetup: ['test/support/vitest/global-setup.ts'],
    setupFiles: ['test/support/processes/fresh-process.ts'],
    // Generous: the suite proves behaviour and never fails on a clock.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    pool: 'forks',
    maxWorkers: 4,
    // The files of a worker share its modules: to load them anew took two seconds a file. What a file sets, it puts back.
    isolate: false,
    sequence: { sequencer: LongestFirst },
    // Vite puts its own BASE_URL, a path, into the environment.
    env: { NODE_ENV: 'test', LOG_LEVEL: process.env.LOG_LEVEL ?? 'silent', BASE_URL: '' },
  },
})

import { defineConfig } from 'vitest/config'
import { isPoolerInstalled } from './support/processes/pooler-installed.ts'
import { FileTimes } from './support/vitest/file-times.ts'
import { LongestFirst } from './support/vitest/longest-first.ts'

export default defineConfig({
  root: new URL('..', import.meta.url).pathname,
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['node_modules/**', '.test/**', ...(isPoolerInstalled() ? [] : ['test/db/pooled.test.ts'])],
    globalSetup: ['test/support/vitest/global-setup.ts'],
    setupFiles: ['test/support/processes/fresh-process.ts'],
    // Long enough that no test fails only because the machine is slow.
    testTimeout: 900_000,
    hookTimeout: 900_000,
    expect: { poll: { timeout: 300_000 } },
    pool: 'forks',
    // Node loads the modules itself, as it does for the programs: half the processor time of Vite's module runner. No test mocks modules.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    maxWorkers: 4,
    // Test files of a worker share loaded modules, which saves two seconds per file. Each file restores what it changes.
    isolate: false,
    reporters: ['default', new FileTimes(), ['json', { outputFile: '.test/vitest.json' }]],
    sequence: { sequencer: LongestFirst },
    // Vite sets BASE_URL to a path, which would be an invalid setting.
    env: { NODE_ENV: 'test', LOG_LEVEL: process.env.LOG_LEVEL ?? 'silent', BASE_URL: '' },
  },
})

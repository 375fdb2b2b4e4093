import { buildDashboard } from './dashboard-build.ts'
import { runOnce } from './program.ts'

// `npm run build`: for installs that run web on machines of their own. `npm start` builds by itself.

await runOnce(() => buildDashboard((progress) => console.log(progress), new AbortController().signal))

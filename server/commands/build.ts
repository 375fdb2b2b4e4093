import { buildDashboard } from '../process/dashboard-build.ts'
import { runOnce } from '../process/lifecycle.ts'

// `npm run build`: for installations that run web separately. `npm start` builds by itself.

await runOnce(() => buildDashboard((progress) => console.log(progress), new AbortController().signal))

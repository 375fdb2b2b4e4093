import { router } from '../../trpc.ts'
import { setAllowedHosts } from './allowed-hosts.ts'
import { reveal } from './reveal.ts'
import {
  organizationVariablesRouter,
  projectVariablesRouter,
  serviceVariablesRouter,
  workspaceVariablesRouter,
} from './scoped-variables.ts'
import { usage } from './usage.ts'
import { values } from './values.ts'

export const variablesRouter = router({
  organization: organizationVariablesRouter,
  workspace: workspaceVariablesRouter,
  project: projectVariablesRouter,
  service: serviceVariablesRouter,
  reveal,
  values,
  usage,
  setAllowedHosts,
})

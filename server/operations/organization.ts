import { router } from '../trpc.ts'
import { agentAdministrationRouter } from './agent-administration.ts'
import { auditLogRouter } from './audit-log.ts'
import { bodyStoresRouter } from './body-stores.ts'
import { domainsRouter } from './domains.ts'
import { organizationGroupsRouter } from './organization-groups.ts'
import { invite, list as listInvitations, withdraw } from './organization-invitations.ts'
import { list as listMembers, remove as removeMember, setActive, setPermissions } from './organization-members.ts'
import { organizationSettingsRouter } from './organization-settings.ts'
import { create, remove, transferOwnership } from './organizations.ts'
import { webhookAdministrationRouter } from './webhook-administration.ts'

/** What the contract leaves to the dashboard: the organization's own administration. */
export const organizationRouter = router({
  create,
  remove,
  transferOwnership,
  settings: organizationSettingsRouter,
  members: router({ list: listMembers, invite, setPermissions, setActive, remove: removeMember }),
  invitations: router({ list: listInvitations, withdraw }),
  groups: organizationGroupsRouter,
  agents: agentAdministrationRouter,
  bodyStores: bodyStoresRouter,
  domains: domainsRouter,
  webhooks: webhookAdministrationRouter,
  audit: auditLogRouter,
})

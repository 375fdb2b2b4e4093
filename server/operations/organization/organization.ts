import { router } from '../../trpc.ts'
import { agentAdministrationRouter } from './agents.ts'
import { auditLogRouter } from './audit.ts'
import { bodyStoresRouter } from './body-stores.ts'
import { domainsRouter } from './domains.ts'
import { organizationGroupsRouter } from './groups.ts'
import { invite, list as listInvitations, withdraw } from './invitations.ts'
import { list as listMembers, remove as removeMember, setActive, setPermissions } from './members.ts'
import { create, remove, transferOwnership } from './organizations.ts'
import { organizationSettingsRouter } from './settings.ts'
import { webhookAdministrationRouter } from './webhooks.ts'

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

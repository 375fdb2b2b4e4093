import type { AuditDetails } from './details.ts'
import { textOf } from './details.ts'

// The actions of members and the system, in words. The dashboard writes `Ana created the service Checkout`.

export type ActionWords = {
  /** The action without its resource, for the filter. */
  label: string
  /** What follows the person's name and precedes the resource's name. */
  text: string | ((details: AuditDetails) => string)
  /** What follows the resource's name. */
  after?: (details: AuditDetails) => string
  /** A member did it to their own account, so the name of the account would only repeat who did it. */
  isOwn?: true
}

const fieldNames: Record<string, string> = {
  isActive: 'switch',
  saveResponseBodies: 'storing of response bodies',
  sendTraceparent: 'sending of traceparent',
  probeMode: 'agents mode',
  queuePolicy: 'overlap rule',
  serviceWindow: 'maintenance window',
  requireTotp: 'two-factor rule',
  timezone: 'time zone',
  url: 'URL',
  apiKey: 'API key',
  orgAdmin: 'administration',
  postMortem: 'post-mortem',
  hidden: 'changed without a record of the values',
}

/** Returns a field in words, such as `maintenance window` for `serviceWindow`. */
export function fieldWords(field: string): string {
  return fieldNames[field] ?? field.replaceAll(/([a-z])([A-Z])/g, '$1 $2').toLowerCase()
}

/** Returns for example `changed the schedule and label of`. */
function changed(what: string) {
  return (details: AuditDetails) => {
    const fields = changedFieldsOf(details)
    if (details.changed === false || fields.length === 0) return `saved ${what} without a change:`
    const names = fields.map(fieldWords)
    return `changed the ${[names.slice(0, -1).join(', '), names.at(-1)].filter(Boolean).join(' and ')} of ${what}`
  }
}

function changedFieldsOf({ changed: _, hidden, ...fields }: AuditDetails): string[] {
  return [...Object.keys(fields), ...(Array.isArray(hidden) ? hidden.map(String) : [])]
}

/** Returns the level that access was set to. */
function accessLevel(permissions: unknown): string {
  const to =
    typeof permissions === 'object' && permissions !== null && 'to' in permissions ? permissions.to : permissions
  return textOf(to)
}

const renamedTo = ({ to }: AuditDetails) => (to ? `to ${textOf(to)}` : '')
const within = ({ resourceName }: AuditDetails) => (resourceName ? `of ${textOf(resourceName)}` : '')
const switched = (of: string) => (details: AuditDetails) =>
  `switched ${details.isActive ? 'on' : 'off'} ${textOf(details.changed)} services of the ${of}`

const own = (label: string, text: ActionWords['text']): ActionWords => ({ label, text, isOwn: true })
const plain = (label: string): ActionWords => ({ label, text: `${label.charAt(0).toLowerCase()}${label.slice(1)}` })

export const ACTION_WORDS: Record<string, ActionWords> = {
  'access.remove': {
    label: 'Removed access',
    text: ({ principalName }) => `removed the access of ${textOf(principalName)} to`,
  },
  'access.set': {
    label: 'Gave access',
    text: ({ principalName, permissions }) => `gave ${textOf(principalName)} ${accessLevel(permissions)} access to`,
  },
  'account.change_email': own('Changed their address', ({ to }) => `changed their address to ${textOf(to)}`),
  'account.change_password': own('Changed their password', 'changed their password'),
  'account.confirm_email': own('Confirmed their address', 'confirmed their address'),
  'account.request_confirmation': own('Requested a confirmation link', 'requested a link to confirm their address'),
  'account.request_email_change': own(
    'Requested a change of address',
    ({ to }) => `requested a change of their address to ${textOf(to)}`,
  ),
  'account.request_password_reset': plain('Requested a password reset for'),
  'account.reset_password': plain('Reset the password of'),
  'account.take_over': plain('Took over the account of'),
  'account.update': own('Changed their name', ({ to }) => `changed their name to ${textOf(to)}`),
  'agent.activate': plain('Enabled the agent'),
  'agent.create': plain('Created the agent'),
  'agent.deactivate': plain('Disabled the agent'),
  'agent.enrol': { label: 'Enrolled an agent', text: 'enrolled a process of the agent' },
  'agent.invite': { label: 'Created an enrolment token', text: 'created an enrolment token for the agent' },
  'agent.refuse': { label: 'Refused a request of an agent', text: 'sent refused requests as the agent' },
  'agent.remove': plain('Removed the agent'),
  'agent.revoke_key': { label: 'Revoked the key of an agent', text: 'revoked a key of the agent' },
  'agent.update': plain('Changed the agent'),
  'api_key.create': { label: 'Created an API key', text: 'created the API key' },
  'api_key.revoke': { label: 'Revoked an API key', text: 'revoked the API key' },
  'body_store.forget': plain('Forgot the body store'),
  'domain.add': plain('Added the domain'),
  'domain.lapse': plain('No longer finds the proof of the domain'),
  'domain.remove': plain('Removed the domain'),
  'domain.verify': {
    label: 'Checked a domain',
    text: ({ verified }) => (verified ? 'verified the domain' : 'could not verify the domain'),
  },
  'follow.create': plain('Followed'),
  'follow.delete': plain('Stopped following'),
  'group.add_member': { label: 'Added to a group', text: ({ email }) => `added ${textOf(email)} to the group` },
  'group.create': plain('Created the group'),
  'group.remove': plain('Deleted the group'),
  'group.remove_member': {
    label: 'Removed from a group',
    text: ({ email }) => `removed ${textOf(email)} from the group`,
  },
  'group.update': { label: 'Changed a group', text: changed('the group') },
  'incident.acknowledge': plain('Acknowledged the incident of'),
  'incident.note': plain('Added a note to the incident of'),
  'incident.unacknowledge': plain('Took back the acknowledgement of the incident of'),
  'incident.update': { label: 'Changed an incident', text: changed('the incident') },
  'invitation.create': { label: 'Invited a person', text: 'invited' },
  'invitation.end': plain('Ended the invitation of'),
  'invitation.withdraw': plain('Withdrew the invitation of'),
  'maintenance.create': plain('Started or planned a maintenance of'),
  'maintenance.delete': plain('Deleted the maintenance of'),
  'maintenance.end': plain('Ended the maintenance of'),
  'maintenance.update': { label: 'Changed a maintenance', text: changed('the maintenance of') },
  'member.activate': plain('Enabled the member'),
  'member.deactivate': plain('Disabled the member'),
  'member.join': own('Joined the organization', 'joined the organization'),
  'member.remove': plain('Removed the member'),
  'member.set_permissions': plain('Changed the permissions of'),
  'metrics_token.create': {
    label: 'Created a token for metrics',
    text: 'created the metrics token',
    after: within,
  },
  'metrics_token.revoke': {
    label: 'Revoked a token for metrics',
    text: 'revoked the metrics token',
    after: within,
  },
  'organization.answer_alerts': {
    label: 'Said where alerts go',
    text: ({ to }) =>
      to === 'mail' ? 'chose to get the alerts by mail of' : 'put off the question where alerts go of',
  },
  'organization.create': plain('Created the organization'),
  'organization.remove': plain('Deleted the organization'),
  'organization.transfer_ownership': plain('Transferred the ownership to'),
  'organization.update': { label: 'Changed the organization', text: changed('the organization') },
  'passkey.add': own('Added a passkey', ({ name }) => `added the passkey ${textOf(name)}`),
  'passkey.begin': own('Began to add a passkey', 'began to add a passkey'),
  'passkey.remove': own('Removed a passkey', ({ name }) => `removed the passkey ${textOf(name)}`),
  'passkey.rename': own('Renamed a passkey', ({ from, to }) => `renamed the passkey ${textOf(from)} to ${textOf(to)}`),
  'project.create': plain('Created the project'),
  'project.delete': plain('Deleted the project'),
  'project.export': plain('Exported the project'),
  'project.rename': { label: 'Renamed a project', text: 'renamed the project', after: renamedTo },
  'project.restore': plain('Restored the project'),
  'project.toggle_services': { label: 'Switched all services of a project', text: switched('project') },
  'service.agents': plain('Changed the agents of'),
  'service.cancel_run': plain('Cancelled a run of'),
  'service.create': plain('Created the service'),
  'service.delete': plain('Deleted the service'),
  'service.disable': plain('Switched off'),
  'service.draft_run': plain('Tested a script'),
  'service.duplicate': plain('Duplicated the service'),
  'service.enable': plain('Switched on'),
  'service.export_results': plain('Exported the results of'),
  'service.move': {
    label: 'Moved a service',
    text: 'moved the service',
    after: ({ project }) => (project ? `to ${textOf(project)}` : 'to another project'),
  },
  'service.restore': plain('Restored the service'),
  'service.run': plain('Requested a run of'),
  'service.script': {
    label: 'Saved a script',
    text: ({ version, restoredFrom }) =>
      restoredFrom
        ? `restored version ${textOf(restoredFrom)} as version ${textOf(version)} of the script of`
        : `saved version ${textOf(version)} of the script of`,
  },
  'service.update': { label: 'Changed a service', text: changed('') },
  'session.create': own('Signed in', 'signed in'),
  'session.end': own('Signed out', 'ended a session'),
  'session.end_others': own('Ended other sessions', 'ended all their other sessions'),
  'session.enter': own('Entered the organization', 'switched to this organization'),
  'session.refuse': plain('Failed to sign in as'),
  'silence.create': { label: 'Created a silence', text: 'silenced' },
  'silence.delete': plain('Removed their silence of'),
  'silence.update': plain('Changed their silence of'),
  'totp.begin': own('Began two-factor authentication', 'began to set up two-factor authentication'),
  'totp.disable': own('Switched off two-factor authentication', 'switched off their two-factor authentication'),
  'totp.enrol': own('Set up two-factor authentication', 'set up two-factor authentication'),
  'totp.renew_codes': own('Renewed recovery codes', 'renewed their recovery codes'),
  'totp.reset': plain('Removed the second factor of'),
  'variable.create': { ...plain('Created the variable'), after: within },
  'variable.delete': { ...plain('Deleted the variable'), after: within },
  'variable.reveal': { ...plain('Revealed the variable'), after: within },
  'variable.update': { ...plain('Changed the variable'), after: within },
  'webhook.bind': {
    ...plain('Connected the webhook'),
    after: ({ resourceName }) => (resourceName ? `to ${textOf(resourceName)}` : ''),
  },
  'webhook.create': plain('Created the webhook'),
  'webhook.delete': plain('Deleted the webhook'),
  'webhook.pause': plain('Paused the webhook'),
  'webhook.redeliver': plain('Sent a message again to the webhook'),
  'webhook.resume': plain('Resumed the webhook'),
  'webhook.rotate_secret': plain('Rotated the secret of the webhook'),
  'webhook.test': plain('Sent a test message to the webhook'),
  'webhook.unbind': plain('Disconnected the webhook'),
  'webhook.update': { label: 'Changed a webhook', text: changed('the webhook') },
  'workspace.create': plain('Created the workspace'),
  'workspace.delete': plain('Deleted the workspace'),
  'workspace.export': plain('Exported the workspace'),
  'workspace.rename': { label: 'Renamed a workspace', text: 'renamed the workspace', after: renamedTo },
  'workspace.toggle_services': { label: 'Switched all services of a workspace', text: switched('workspace') },
}

/** What the document says about the whole API. */
export const INFO = {
  title: 'Soundline public API',
  summary: 'Scripted HTTP probes on a schedule: services, runs, results, metrics, incidents and alerts.',
  description:
    'Everything under `/api/public/v1`, for programs: each request sends an API key, which a member creates at the ' +
    'dashboard, as `Authorization: Bearer <key>`. Bodies are JSON.\n\n' +
    'Within version 1, changes are additive only: clients ignore fields that they do not know, and treat unknown error ' +
    'codes and unknown values of open enumerations (`x-extensible-enum`) as general ones.\n\n' +
    'The examples are requests that the program accepts. `x-error-codes` lists the error codes of an operation by status.',
  version: '1.0.0',
  contact: { name: 'The operator of this installation' },
  license: { name: 'Proprietary', identifier: 'LicenseRef-Soundline' },
}

/** The tags in the order of the reference, with their descriptions. */
export const TAGS: Record<string, string> = {
  Key: 'The calling key.',
  Workspaces: 'Containers of projects.',
  Projects: 'Containers of services.',
  Services: 'Scripted HTTP probes with a schedule.',
  Agents: 'Locations that probes run from.',
  Variables: 'Values that scripts read, at four scopes.',
  Runs: 'Requested and scheduled runs, open and done.',
  Results: 'Runs, their steps and stored bodies.',
  Incidents: 'Periods in which a service is failed, with notes and messages.',
  Metrics: 'Counters, percentiles and statistics.',
  Silences: "The calling member's own notification silences.",
  Access: 'Who may read or write a resource.',
  Directory: 'Members and groups of the organization.',
  Webhooks: 'Webhooks created at the dashboard, and their bindings to resources.',
}

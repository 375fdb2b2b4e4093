import { z } from 'zod'
import { IncidentChange, IncidentSelection } from '../../schemas/alerts/incident-changes.ts'
import { IncidentNoteText } from '../../schemas/alerts/incidents.ts'
import { Id } from '../../schemas/conventions.ts'
import { presentIncident } from './incident-tools.ts'
import { defineTool } from './tool.ts'

export const acknowledgeIncidents = defineTool({
  name: 'acknowledge_incidents',
  title: 'Acknowledge incidents',
  description:
    'Acknowledges incidents, which stops their reminders. Says for each whether it was acknowledged, was acknowledged ' +
    'before, or was not found.',
  access: 'write',
  input: z.object({ incidentIds: IncidentSelection.shape.ids }),
  run: async ({ incidentIds: ids }, { call }) => {
    const { incidents } = await call((caller) => caller.incidents.acknowledgeMany({ ids }))
    const count = incidents.filter(({ outcome }) => outcome === 'acknowledged').length
    return { summary: `Acknowledged ${count} of ${incidents.length} incidents.`, data: { incidents } }
  },
})

export const unacknowledgeIncident = defineTool({
  name: 'unacknowledge_incident',
  title: 'Take back the acknowledgement of an incident',
  description: 'Takes back the acknowledgement of an incident, which resumes its reminders.',
  access: 'write',
  input: z.object({ incidentId: Id }),
  run: async ({ incidentId: id }, { call }) => {
    const incident = await call((caller) => caller.incidents.unacknowledge({ id }))
    return { summary: 'The incident is not acknowledged.', data: { incident: presentIncident(incident) } }
  },
})

export const listAssignees = defineTool({
  name: 'list_incident_assignees',
  title: 'List possible assignees of an incident',
  description:
    'Lists the members to whom an incident can be assigned, with the ids that update_incident takes. `isCaller` marks ' +
    'the member of the key.',
  access: 'read',
  input: z.object({ incidentId: Id }),
  run: async ({ incidentId: id }, { call }) => {
    const assignees = await call((caller) => caller.incidents.assignees({ id }))
    return { summary: `${assignees.length} members`, data: { assignees } }
  },
})

export const addIncidentNote = defineTool({
  name: 'add_incident_note',
  title: 'Add a note to an incident',
  description: 'Adds a note to the timeline of an incident, for the members who look into it.',
  access: 'write',
  input: z.object({ incidentId: Id, text: IncidentNoteText }),
  run: async ({ incidentId: id, text }, { call }) => {
    const note = await call((caller) => caller.incidents.addNote({ id, text }))
    return { summary: 'The note is added.', data: { note } }
  },
})

export const updateIncident = defineTool({
  name: 'update_incident',
  title: 'Assign an incident, set its severity, or write its post-mortem',
  description:
    'Changes an incident; fields that are absent stay as they are. The assignee is notified by mail. Null removes the ' +
    'assignee, the post-mortem, or the severity that a member set.',
  access: 'write',
  input: IncidentChange.extend({ incidentId: Id }),
  run: async ({ incidentId: id, ...change }, { call }) => {
    const incident = await call((caller) => caller.incidents.update({ id, ...change }))
    return { summary: 'The incident is saved.', data: { incident: presentIncident(incident) } }
  },
})

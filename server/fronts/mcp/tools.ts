import { explainIncident, listIncidents } from './incident-tools.ts'
import {
  acknowledgeIncidents,
  addIncidentNote,
  listAssignees,
  unacknowledgeIncident,
  updateIncident,
} from './incident-write-tools.ts'
import { endMaintenance, listMaintenances, startMaintenance } from './maintenance-tools.ts'
import { listResults, readResult } from './result-tools.ts'
import { readRun, runService } from './run-tools.ts'
import { draftRunScript, readDraftRun, validateScript } from './script-tools.ts'
import { findServices, listFailing, readService } from './service-tools.ts'
import type { Tool } from './tool.ts'

/** Every tool of the MCP endpoint, in the order in which clients list them. */
export const TOOLS: readonly Tool[] = [
  listFailing,
  findServices,
  readService,
  listIncidents,
  explainIncident,
  acknowledgeIncidents,
  unacknowledgeIncident,
  listAssignees,
  updateIncident,
  addIncidentNote,
  listResults,
  readResult,
  validateScript,
  draftRunScript,
  readDraftRun,
  runService,
  readRun,
  listMaintenances,
  startMaintenance,
  endMaintenance,
]

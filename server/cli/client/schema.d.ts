// Generated from the OpenAPI document; do not edit.

export interface paths {
    "/api/public/v1/access/{resourceType}/{resourceId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the grants on a resource */
        get: operations["listAccess"];
        /** Grant access to a resource, or change the level */
        put: operations["setAccess"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/public/v1/access/{resourceType}/{resourceId}/{principalType}/{principalId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Remove a grant on a resource */
        delete: operations["removeAccess"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/public/v1/agents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the agents that services may run on */
        get: operations["listAgents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/public/v1/groups": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the groups */
        get: operations["listGroups"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/public/v1/incidents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the incidents, open ones first, newest first */
        get: operations["listIncidents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/public/v1/incidents/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get an incident with its notes and timeline */
        get: operations["getIncident"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/public/v1/incidents/{id}/acknowledge": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Acknowledge an incident, which stops its reminders */
        post: operations["acknowledgeIncident"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/public/v1/incidents/{id}/notes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Add a note to an incident */
        post: operations["addIncidentNote"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/public/v1/key": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Describe the calling key */
        get: operations["getKey"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/public/v1/members": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the members */
        get: operations["listMembers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/public/v1/projects": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the projects of a workspace */
        get: operations["listProjects"];
        put?: never;
        /** Create a project */
        post: operations["createProject"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/public/v1/projects/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a project */
        get: operations["getProject"];
        put?: never;
        post?: never;
        /** Delete a project with its services */
        delete: operations["deleteProject"];
        options?: never;
        head?: never;
        /** Rename a project */
        patch: operations["renameProject"];
        trace?: never;
    };
    "/api/public/v1/projects/{id}/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read the metrics of a project */
        get: operations["getProjectMetrics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/public/v1/projects/{id}/metrics/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a project's runs by hour */
        get: operations["getProjectMetricsHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/public/v1/projects/{id}/services-toggle": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Switch every service of a project on or off */
        patch: operations["toggleProjectServices"];
        trace?: never;
    };
    "/api/public/v1/projects/{id}/variables": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the variables of a project */
        get: operations["listProjectVariables"];
        put?: never;
        /** Create a variable of a project */
        post: operations["createProjectVariable"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/public/v1/projects/{id}/variables/{varId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Delete a variable of a project */
        delete: operations["deleteProjectVariable"];
        options?: never;
        head?: never;
        /** Change a variable of a project */
        patch: operations["updateProjectVariable"];
        trace?: never;
    };
    "/api/public/v1/projects/{id}/variables/hierarchy": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read every variable that scripts of a project can use */
        get: operations["getProjectVariableHierarchy"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/public/v1/services": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the services of a project */
        get: operations["listServices"];
        put?: never;
        /** Create a service */
        post: operations["createService"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/public/v1/services/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a service */
        get: operations["getService"];
        put?: never;
        post?: never;
        /** Delete a service with its results */
        delete: operations["deleteService"];
        options?: never;
        head?: never;
        /** Change a service; omitted fields keep their values */
        patch: operations["updateService"];
        trace?: never;
    };
    "/api/public/v1/services/{id}/agents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the agents a service may run on; an empty array means any agent */
        get: operations["getServiceAgents"];
        /** Set the agents a service may run on; an empty array means any agent */
        put: operations["setServiceAgents"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/public/v1/services/{id}/alerting": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read who would be notified if the service failed now */
        get: operations["getServiceAlerting"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/public/v1/services/{id}/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read the metrics of a service */
        get: operations["getServiceMetrics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/public/v1/services/{id}/metrics/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a service's runs by hour */
        get: operations["getServiceMetricsHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/public/v1/services/{id}/metrics/statistics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read latencies and uptime over time, by agent and by endpoint */
        get: operations["getServiceStatistics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/public/v1/services/{id}/metrics/statistics/assertions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read how often each assertion failed */
        get: operations["getServiceAssertionFailures"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/public/v1/services/{id}/metrics/statistics/endpoint-series": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read calls and latencies of each endpoint over time */
        get: operations["getServiceEndpointSeries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/public/v1/services/{id}/metrics/statistics/failure-heatmap": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read failed runs by weekday and hour of day */
        get: operations["getServiceFailureHeatmap"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/public/v1/services/{id}/results": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the results of a service, newest first */
        get: operations["listResults"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/public/v1/services/{id}/results/{resultId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get one result with all its steps */
        get: operations["getResult"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/public/v1/services/{id}/results/{resultId}/steps/{stepId}/body": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the stored response body of a step */
        get: operations["getStepBody"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/public/v1/services/{id}/run": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Request a run now */
        post: operations["runService"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/public/v1/services/{id}/script": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Save the script of a service; the first one switches it on */
        patch: operations["saveServiceScript"];
        trace?: never;
    };
    "/api/public/v1/services/{id}/snapshot": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a service and its most recent runs in one read */
        get: operations["getServiceSnapshot"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/public/v1/services/{id}/toggle": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Switch a service on or off */
        patch: operations["toggleService"];
        trace?: never;
    };
    "/api/public/v1/services/{id}/variables": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the variables of a service */
        get: operations["listServiceVariables"];
        put?: never;
        /** Create a variable of a service */
        post: operations["createServiceVariable"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/public/v1/services/{id}/variables/{varId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Delete a variable of a service */
        delete: operations["deleteServiceVariable"];
        options?: never;
        head?: never;
        /** Change a variable of a service */
        patch: operations["updateServiceVariable"];
        trace?: never;
    };
    "/api/public/v1/services/{id}/variables/hierarchy": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read every variable that scripts of a service can use */
        get: operations["getServiceVariableHierarchy"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/public/v1/silences": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the caller's silences */
        get: operations["listSilences"];
        put?: never;
        /** Create a silence */
        post: operations["createSilence"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/public/v1/silences/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a silence */
        get: operations["getSilence"];
        put?: never;
        post?: never;
        /** Delete a silence */
        delete: operations["deleteSilence"];
        options?: never;
        head?: never;
        /** Change a silence */
        patch: operations["updateSilence"];
        trace?: never;
    };
    "/api/public/v1/variables": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the variables */
        get: operations["listOrganizationVariables"];
        put?: never;
        /** Create a variable */
        post: operations["createOrganizationVariable"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/public/v1/variables/{varId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Delete a variable */
        delete: operations["deleteOrganizationVariable"];
        options?: never;
        head?: never;
        /** Change a variable */
        patch: operations["updateOrganizationVariable"];
        trace?: never;
    };
    "/api/public/v1/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the webhooks */
        get: operations["listWebhooks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/public/v1/webhooks/bindings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the webhooks bound to a resource */
        get: operations["listWebhookBindings"];
        put?: never;
        /** Bind a webhook to a resource */
        post: operations["createWebhookBinding"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/public/v1/webhooks/bindings/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Unbind a webhook from a resource */
        delete: operations["deleteWebhookBinding"];
        options?: never;
        head?: never;
        /** Pause or resume a webhook binding */
        patch: operations["updateWebhookBinding"];
        trace?: never;
    };
    "/api/public/v1/workspaces": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List workspaces */
        get: operations["listWorkspaces"];
        put?: never;
        /** Create a workspace */
        post: operations["createWorkspace"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/public/v1/workspaces/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a workspace */
        get: operations["getWorkspace"];
        put?: never;
        post?: never;
        /** Delete a workspace with everything in it */
        delete: operations["deleteWorkspace"];
        options?: never;
        head?: never;
        /** Rename a workspace */
        patch: operations["renameWorkspace"];
        trace?: never;
    };
    "/api/public/v1/workspaces/{id}/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read the metrics of a workspace */
        get: operations["getWorkspaceMetrics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/public/v1/workspaces/{id}/metrics/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a workspace's runs by hour */
        get: operations["getWorkspaceMetricsHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/public/v1/workspaces/{id}/services-toggle": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Switch every service of a workspace on or off */
        patch: operations["toggleWorkspaceServices"];
        trace?: never;
    };
    "/api/public/v1/workspaces/{id}/variables": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the variables of a workspace */
        get: operations["listWorkspaceVariables"];
        put?: never;
        /** Create a variable of a workspace */
        post: operations["createWorkspaceVariable"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/public/v1/workspaces/{id}/variables/{varId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Delete a variable of a workspace */
        delete: operations["deleteWorkspaceVariable"];
        options?: never;
        head?: never;
        /** Change a variable of a workspace */
        patch: operations["updateWorkspaceVariable"];
        trace?: never;
    };
    "/api/public/v1/workspaces/{id}/variables/hierarchy": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read every variable that scripts of a workspace can use */
        get: operations["getWorkspaceVariableHierarchy"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** @description The level of a member or a group on a resource and everything in it. */
        AccessEntry: {
            /** @description For users only. */
            email?: string;
            name: string;
            /** @description 1 read, 2 write. */
            permissions: number;
            /**
             * Format: uuid
             * @description The `userId` of a member, or the id of a group.
             */
            principalId: string;
            principalType: ("user" | "group") | string;
        };
        /** @description A location that probes run from. */
        Agent: {
            label: string;
            slug: string;
        };
        /** @description Slugs of agents; an empty array means any agent. */
        AgentSlugs: string[];
        /** @description A webhook that is bound to the service or above it. */
        AlertedWebhook: {
            /**
             * @description False when every binding is paused, so that it gets no message.
             * @example true
             */
            enabled: boolean;
            heardThrough: components["schemas"]["HeardThrough"][];
            /** @example Pager */
            name: string;
            /**
             * Format: uuid
             * @example 0190a1b2-0000-7000-8000-000000000002
             */
            webhookId: string;
        };
        /** @description What became of an event for one member or one webhook: sent, or not and why. */
        AlertMessage: {
            /**
             * @description Attempts of a webhook message; null for a mail.
             * @example null
             */
            attempts: number | null;
            /** @example email */
            channel: ("email" | "webhook") | string;
            /**
             * Format: date-time
             * @example 2026-01-31T08:12:05.120Z
             */
            createdAt: string;
            /**
             * @description The member's address: the caller's own, or with read on Users.
             * @example null
             */
            email: string | null;
            /** @description Empty for a webhook message that was queued. */
            heardThrough: components["schemas"]["HeardThrough"][];
            /**
             * @description The HTTP status of the last attempt of a webhook message.
             * @example null
             */
            lastStatus: number | null;
            /**
             * @description The name of the member or the webhook. Null for a former member, without read on Users, and for a webhook without read on Webhooks.
             * @example Ada Lovelace
             */
            name: string | null;
            /**
             * @description When a webhook message that failed is sent again; null if it is not.
             * @example null
             */
            nextAttemptAt: string | null;
            /**
             * @description The member who is notified by mail; null for a webhook, and for other members without read on Users.
             * @example 0190a1b2-0000-7000-8000-000000000001
             */
            orgUserId: string | null;
            /**
             * @description Why it is suppressed, held or failed, or why the last attempt failed. Null without read on Webhooks, except for a paused binding.
             * @example a silence
             */
            reason: string | null;
            /**
             * @description Null until it is sent.
             * @example null
             */
            sentAt: string | null;
            /**
             * @description When the silence ends; null without a silence, or for one without an end.
             * @example 2026-01-31T09:30:00.000Z
             */
            silencedUntil: string | null;
            /**
             * @description `pending` (queued, or retried), `sent`, `failed`, `suppressed` (not sent, see `reason`), or `held` (kept back until quiet hours end).
             * @example suppressed
             */
            state: ("pending" | "sent" | "failed" | "suppressed" | "held") | string;
            /**
             * @description Null for a mail, and without read on Webhooks.
             * @example null
             */
            webhookId: string | null;
        };
        /** @description A member who would be notified by mail. */
        AlertRecipient: {
            /** @example ada@example.com */
            email: string | null;
            heardThrough: components["schemas"]["HeardThrough"][];
            /**
             * @description Whether a silence keeps the mail back now.
             * @example false
             */
            isSilenced: boolean;
            /** @example Ada Lovelace */
            name: string | null;
            /**
             * @description The member. This, the name, the address and the names of groups are null for other members without read on Users.
             * @example 0190a1b2-0000-7000-8000-000000000001
             */
            orgUserId: string | null;
            /** @description The silence that keeps the mail back, if it is the caller's own; null for other members. */
            silence: components["schemas"]["Silence"] | null;
            /**
             * @description `a silence` or `quiet hours`; null when it is sent.
             * @example null
             */
            silencedReason: string | null;
            /**
             * @description When mails are sent again; null when they are sent now, or when the silence has no end.
             * @example null
             */
            silencedUntil: string | null;
        };
        /** @description How the runs of a service become alerts: its system variables. */
        AlertSettings: {
            /**
             * @description Whether a recovery is announced.
             * @example true
             */
            alertOnRecovery: boolean;
            /**
             * @description After how many failed runs in a row the service is failed.
             * @example 2
             */
            confirmFailures: number;
            /**
             * @description Minutes between reminders of an open incident that has not been acknowledged; 0 for none.
             * @example 60
             */
            remindMinutes: number;
        };
        /** @description The calling key. */
        ApiKeyInfo: {
            access: ("read" | "write") | string;
            /** @description Null when the key never expires. */
            expiresAt: string | null;
            /** Format: uuid */
            id: string;
            name: string;
            organization: {
                /** Format: uuid */
                id: string;
                name: string;
            };
            /** @description The first eleven characters of the key. */
            prefix: string;
            /** @description The member the key acts as. */
            user: {
                email: string;
                /** Format: uuid */
                id: string;
            };
        };
        AssertedEndpoint: {
            method: string;
            template: string;
        };
        AssertionFailure: {
            /** @description The chain method that contains it. */
            assertion: ("expect" | "check" | "assert") | string;
            endpoint: components["schemas"]["AssertedEndpoint"];
            evaluations: number;
            /** @description The expected value as written in the script; null for a condition. */
            expected: unknown;
            /** @description The condition as written; null otherwise. */
            expression: string | null;
            failureRatePct: number;
            failures: number;
            /** @description The same for the same check at the same endpoint. */
            key: string;
            /** @description `expect` ends the run when it fails, `check` does not. */
            kind: ("expect" | "check") | string;
            lastFailedAt: string | null;
            op: string | null;
            /** @description What was compared; null for a condition. */
            scope: string | null;
        };
        AssertionFailures: {
            /** @description Most failures first. */
            assertions: components["schemas"]["AssertionFailure"][];
            /** Format: date-time */
            since: string;
            /** @description True when there are more than 200 assertions. */
            truncated: boolean;
            /** Format: date-time */
            until: string;
            window: ("24h" | "7d" | "30d" | "90d") | string;
        };
        /** @description For `expect` and `check`: scope, op, expected and actual. For `assert`: expression and both operands. */
        AssertionResult: {
            actual?: unknown;
            actualLhs?: unknown;
            actualRhs?: unknown;
            expected?: unknown;
            expression?: string;
            index?: number;
            kind?: ("expect" | "check") | string;
            match?: string;
            method: ("expect" | "check" | "assert") | string;
            mode?: string;
            op?: string;
            options?: unknown;
            outcome: ("passed" | "failed" | "indeterminate") | string;
            scope?: string;
        } & {
            [key: string]: unknown;
        };
        EndpointPhases: {
            connectMs: components["schemas"]["PhaseComparison"];
            dnsMs: components["schemas"]["PhaseComparison"];
            responseTimeMs: components["schemas"]["PhaseComparison"];
            tlsMs: components["schemas"]["PhaseComparison"];
            transferMs: components["schemas"]["PhaseComparison"];
            ttfbMs: components["schemas"]["PhaseComparison"];
        };
        EndpointPoint: {
            /** Format: date-time */
            bucketStart: string;
            calls: number;
            errorRatePct: number | null;
            failedCalls: number;
            p50Ms: number | null;
            p95Ms: number | null;
            p99Ms: number | null;
        };
        /** @description The previous window. */
        EndpointPreviousWindow: {
            /** @description Mean size of the response bodies. */
            avgSizeBytes: number | null;
            calls: number;
            failedCalls: number;
            /** @description Calls per status code; `none` counts calls without a response. */
            statusCodes: {
                [key: string]: number;
            };
        };
        EndpointSeries: {
            /** @description All endpoints together, one point per bucket. */
            all: components["schemas"]["EndpointPoint"][];
            /** @description Start of each bucket, oldest first. */
            buckets: string[];
            bucketType: ("hour" | "day") | string;
            endpoints: components["schemas"]["EndpointSeriesEntry"][];
            /** @description True when there are more than 50 endpoints. */
            endpointsTruncated: boolean;
            window: ("24h" | "7d" | "30d" | "90d") | string;
        };
        EndpointSeriesEntry: {
            /** @description The same for the same method and template. */
            key: string;
            method: string;
            points: components["schemas"]["EndpointPoint"][];
            /** @description The URL as written in the script, variables unresolved. */
            template: string;
        };
        EndpointStatistics: {
            /** @description Mean size of the response bodies. */
            avgSizeBytes: number | null;
            calls: number;
            failedCalls: number;
            /** @description The same for the same method and template. */
            key: string;
            method: string;
            p50Ms: number | null;
            p95Ms: number | null;
            p99Ms: number | null;
            phases: components["schemas"]["EndpointPhases"];
            previous: components["schemas"]["EndpointPreviousWindow"];
            /** @description Calls per status code; `none` counts calls without a response. */
            statusCodes: {
                [key: string]: number;
            };
            /** @description The URL as written in the script, variables unresolved. */
            template: string;
        };
        FailedAssertion: {
            actual?: unknown;
            /** @description Left operand of the condition. */
            actualLhs?: unknown;
            /** @description Right operand of the condition. */
            actualRhs?: unknown;
            expected?: unknown;
            /** @description The condition of an `assert`, as written; otherwise null. */
            expression?: string | null;
            method: ("expect" | "check" | "assert") | string;
            op?: string | null;
            /** @description What was compared, such as `status`; null for a condition. */
            scope?: string | null;
            stepNum: number;
        };
        /** @description Failed runs by hour of day and weekday. */
        FailureHeatmap: {
            cells: components["schemas"]["HeatmapCell"][];
            /** @description First day with runs; null without any. */
            coveredFrom: string | null;
            /** @description End of the last day with runs, or now. */
            coveredTo: string | null;
            days: number;
            /** Format: date-time */
            since: string;
            timezone: string;
            totalFailedRuns: number;
            totalRuns: number;
            /** Format: date-time */
            until: string;
        };
        Group: {
            /** Format: uuid */
            id: string;
            memberCount: number;
            name: string;
        };
        /** @description One page of a list; `total` is the count across all pages. */
        GroupPage: {
            items: components["schemas"]["Group"][];
            page: number;
            pageSize: number;
            total: number;
        };
        /** @description One reason why a member or a webhook is notified of an event. */
        HeardThrough: {
            /**
             * @description The group's name; null for the other kinds, and without read on Users.
             * @example DevOps
             */
            group: string | null;
            /**
             * @description Why the recipient is notified: `grant` (an own grant), `group` (a grant of a group), `follow`, `binding` (of a webhook), `section` (write on Settings, for events of agents), or `owner` (of the organization, for a service without listeners).
             * @example group
             */
            kind: ("grant" | "group" | "follow" | "binding" | "section" | "owner") | string;
            /**
             * @description The name of that resource.
             * @example Shop
             */
            resourceName: string | null;
            /**
             * @description The type of the resource that is granted, followed or bound; null for `section` and `owner`.
             * @example workspace
             */
            resourceType: (("workspace" | "project" | "service") | string) | null;
        };
        HeatmapCell: {
            failedRuns: number;
            /** @description UTC. */
            hour: number;
            runs: number;
            /** @description ISO: 1 is Monday. */
            weekday: number;
        };
        HourlyBucket: {
            callCount: number;
            failure: number;
            /**
             * Format: date-time
             * @description Start of the UTC hour.
             */
            hour: string;
            success: number;
            /** @description Sum of the runs' total response times, in milliseconds. */
            sumMs: number;
            timeout: number;
            /** @description Executed runs. */
            total: number;
        };
        /** @description One period in which a service is failed: from the confirmed failure to the recovery. */
        Incident: {
            /**
             * @description Null until a member acknowledges.
             * @example null
             */
            acknowledgedAt: string | null;
            /** @description Who acknowledged first; null until a member does. */
            acknowledgedBy: components["schemas"]["IncidentMember"] | null;
            /** @description What each agent of the service sees now, or saw last while the service was failed. */
            agents: components["schemas"]["IncidentAgent"][];
            /**
             * @description The start of the run with which the service recovered; null while the incident is open.
             * @example null
             */
            closedAt: string | null;
            /**
             * @description From `failingSince` to the recovery, or to now while the incident is open, in milliseconds.
             * @example 600000
             */
            durationMs: number;
            /**
             * Format: date-time
             * @description The start of the first failing run, which can be before `openedAt`.
             * @example 2026-11-20T12:20:00.000Z
             */
            failingSince: string;
            failure: components["schemas"]["RunFailure"];
            /**
             * Format: uuid
             * @description The first failing result in a row. The failure can be confirmed by a later one.
             * @example 019aa0f4-7f2b-7c3d-8e4f-6a5b4c3d2e1f
             */
            firstResultId: string;
            /**
             * Format: uuid
             * @example 019aa0f4-9a8b-7c6d-8e5f-4a3b2c1d0e9f
             */
            id: string;
            /**
             * @description The last result before the incident that passed; null when none did.
             * @example 019aa0ef-7f2b-7c3d-8e4f-6a5b4c3d2e1f
             */
            lastPassingResultId: string | null;
            /**
             * @description When the last reminder was sent; null before the first.
             * @example null
             */
            lastRemindedAt: string | null;
            /**
             * Format: date-time
             * @description The start of the run with which the failure was confirmed.
             * @example 2026-11-20T12:30:00.000Z
             */
            openedAt: string;
            /**
             * Format: uuid
             * @example 019aa0f0-2345-7abc-8def-0123456789ab
             */
            projectId: string;
            /**
             * @description The result that closed the incident; null while it is open.
             * @example null
             */
            recoveredResultId: string | null;
            /**
             * Format: uuid
             * @example 019aa0f0-1234-7abc-8def-0123456789ab
             */
            serviceId: string;
            /** @example Checkout */
            serviceName: string;
            /**
             * @description `open` until the service recovers.
             * @example open
             */
            state: ("open" | "closed") | string;
            /**
             * @description The cause in one line: what failed in the run that opened the incident.
             * @example GET https://shop.example/cart: status 500, expected 200
             */
            summary: string;
            /**
             * @description The incident's page at the dashboard; null when the operator has configured no address.
             * @example https://probes.example.com/incidents/019aa0f4-9a8b-7c6d-8e5f-4a3b2c1d0e9f
             */
            url: string | null;
            /**
             * Format: uuid
             * @example 019aa0f0-3456-7abc-8def-0123456789ab
             */
            workspaceId: string;
        };
        /** @description An agent's own view of the service. */
        IncidentAgent: {
            /**
             * Format: uuid
             * @example 019aa0f4-1111-7aaa-8bbb-2c3d4e5f6a7b
             */
            agentId: string;
            /** @example frankfurt */
            agentSlug: string;
            /**
             * @description Failures in a row on this agent.
             * @example 3
             */
            failingRuns: number;
            /**
             * Format: uuid
             * @description The result of its last run.
             * @example 019aa0f4-7f2b-7c3d-8e4f-6a5b4c3d2e1f
             */
            resultId: string;
            /**
             * Format: date-time
             * @description When the agent first saw this status in a row.
             * @example 2026-11-20T12:30:00.000Z
             */
            since: string;
            /**
             * @description What the agent saw last.
             * @example failure
             */
            status: ("success" | "failure" | "timeout" | "skipped") | string;
            /**
             * @description Why its last run failed, in one line; null after a success.
             * @example GET https://shop.example/cart: status 500, expected 200
             */
            summary: string | null;
        };
        /** @description An incident with its notes and what happened during it. */
        IncidentDetails: {
            /**
             * @description Null until a member acknowledges.
             * @example null
             */
            acknowledgedAt: string | null;
            /** @description Who acknowledged first; null until a member does. */
            acknowledgedBy: components["schemas"]["IncidentMember"] | null;
            /** @description What each agent of the service sees now, or saw last while the service was failed. */
            agents: components["schemas"]["IncidentAgent"][];
            /**
             * @description The start of the run with which the service recovered; null while the incident is open.
             * @example null
             */
            closedAt: string | null;
            /**
             * @description From `failingSince` to the recovery, or to now while the incident is open, in milliseconds.
             * @example 600000
             */
            durationMs: number;
            /**
             * Format: date-time
             * @description The start of the first failing run, which can be before `openedAt`.
             * @example 2026-11-20T12:20:00.000Z
             */
            failingSince: string;
            failure: components["schemas"]["RunFailure"];
            /**
             * Format: uuid
             * @description The first failing result in a row. The failure can be confirmed by a later one.
             * @example 019aa0f4-7f2b-7c3d-8e4f-6a5b4c3d2e1f
             */
            firstResultId: string;
            /**
             * Format: uuid
             * @example 019aa0f4-9a8b-7c6d-8e5f-4a3b2c1d0e9f
             */
            id: string;
            /**
             * @description The last result before the incident that passed; null when none did.
             * @example 019aa0ef-7f2b-7c3d-8e4f-6a5b4c3d2e1f
             */
            lastPassingResultId: string | null;
            /**
             * @description When the last reminder was sent; null before the first.
             * @example null
             */
            lastRemindedAt: string | null;
            /** @description The notes, oldest first; at most the latest 100. */
            notes: components["schemas"]["IncidentNote"][];
            /**
             * Format: date-time
             * @description The start of the run with which the failure was confirmed.
             * @example 2026-11-20T12:30:00.000Z
             */
            openedAt: string;
            /**
             * Format: uuid
             * @example 019aa0f0-2345-7abc-8def-0123456789ab
             */
            projectId: string;
            /**
             * @description The result that closed the incident; null while it is open.
             * @example null
             */
            recoveredResultId: string | null;
            /**
             * Format: uuid
             * @example 019aa0f0-1234-7abc-8def-0123456789ab
             */
            serviceId: string;
            /** @example Checkout */
            serviceName: string;
            /**
             * @description `open` until the service recovers.
             * @example open
             */
            state: ("open" | "closed") | string;
            /**
             * @description The cause in one line: what failed in the run that opened the incident.
             * @example GET https://shop.example/cart: status 500, expected 200
             */
            summary: string;
            /** @description State changes, reminders, messages, the acknowledgement and notes, oldest first; at most the latest 500. */
            timeline: components["schemas"]["IncidentTimelineEntry"][];
            /**
             * @description Whether older entries are left out of the timeline.
             * @example false
             */
            timelineTruncated: boolean;
            /**
             * @description The incident's page at the dashboard; null when the operator has configured no address.
             * @example https://probes.example.com/incidents/019aa0f4-9a8b-7c6d-8e5f-4a3b2c1d0e9f
             */
            url: string | null;
            /**
             * Format: uuid
             * @example 019aa0f0-3456-7abc-8def-0123456789ab
             */
            workspaceId: string;
        };
        IncidentMember: {
            /**
             * @description The member's name at that time.
             * @example Ada Lovelace
             */
            name: string;
            /**
             * Format: uuid
             * @description The membership, as in silences.
             * @example 019aa0f4-3c1a-7d2e-9f10-5b2f0c6d7e81
             */
            orgUserId: string;
        };
        IncidentNote: {
            author: components["schemas"]["IncidentMember"];
            /**
             * Format: date-time
             * @example 2026-11-20T12:30:00.000Z
             */
            createdAt: string;
            /**
             * Format: uuid
             * @example 019aa0f5-0a1b-7c2d-8e3f-4a5b6c7d8e9f
             */
            id: string;
            /** @example The payment provider is down. We wait for them. */
            text: string;
        };
        /** @description One page of a list; `total` is the count across all pages. */
        IncidentPage: {
            items: components["schemas"]["Incident"][];
            page: number;
            pageSize: number;
            total: number;
        };
        IncidentTimelineEntry: {
            /**
             * Format: date-time
             * @example 2026-11-20T12:30:00.000Z
             */
            at: string;
            /**
             * @description The kind of the event that a message is about; null for other kinds.
             * @example service.failed
             */
            event: string | null;
            /** @example message */
            kind: ("service.failed" | "service.recovered" | "service.reminder" | "message" | "acknowledged" | "note") | string;
            /** @description Who acknowledged or wrote the note; otherwise null. */
            member: components["schemas"]["IncidentMember"] | null;
            /** @description The message, without names of other members unless the caller may read the section Users; null for other kinds. */
            message: components["schemas"]["AlertMessage"] | null;
            /**
             * @description Why an event was announced to nobody, such as `alertOnRecovery is false`; otherwise null.
             * @example null
             */
            reason: string | null;
            /**
             * @description What failed for `service.failed`, the text of a note, and otherwise null.
             * @example null
             */
            text: string | null;
        };
        /** @description The failures of the latest failed run. */
        LastFailure: {
            /** @description The first 20 that failed. */
            assertions: components["schemas"]["FailedAssertion"][];
            /** @description How many assertions failed in all. */
            assertionsTotal: number;
            /**
             * @description Why the run failed, if no assertion explains it, such as a refused connection; otherwise null.
             * @example shop.example:443 refused the connection
             */
            error: string | null;
            /** Format: uuid */
            resultId: string;
            /** Format: date-time */
            startedAt: string;
            status: ("success" | "failure" | "timeout" | "skipped") | string;
            /**
             * @description What failed, in one line: the first failing request, its cause, and how many more assertions failed.
             * @example GET https://shop.example/cart: status 500, expected 200 (2 more failed)
             */
            summary: string;
        };
        /** @description A computed variable, which is read-only. */
        LockedVariable: {
            description: string;
            key: string;
            value: string | null;
        };
        /** @description A member of the organization, active or disabled. */
        Member: {
            displayName: string;
            email: string;
            isActive: boolean;
            /** Format: uuid */
            userId: string;
        };
        /** @description One page of a list; `total` is the count across all pages. */
        MemberPage: {
            items: components["schemas"]["Member"][];
            page: number;
            pageSize: number;
            total: number;
        };
        /** @description Runs since the service exists, by outcome. */
        MetricCounters: {
            probesFailure: number;
            probesSuccess: number;
            probesTimeout: number;
            probesTotal: number;
        };
        /** @description The latest run. For a project or workspace, the latest run of any of its services. */
        MetricState: {
            /** @description How many runs in a row had the last outcome. */
            lastConsecutive: number;
            lastResponseMs: number | null;
            /** @description Epoch seconds. */
            lastRunAt: number | null;
            lastStatus: (("success" | "failure" | "timeout" | "skipped") | string) | null;
        };
        Ok: {
            /** @constant */
            ok: true;
        };
        /** @description Response times of the last 24 hours in milliseconds; null without runs. */
        Percentiles: {
            p50: number | null;
            p95: number | null;
            p99: number | null;
        };
        PhaseComparison: {
            /** @description Mean in this window; null without a timed call. */
            avgMs: number | null;
            /** @description Mean in the previous window. */
            previousAvgMs: number | null;
        };
        /** @description A container of services. */
        Project: {
            /** Format: date-time */
            createdAt: string;
            /** Format: uuid */
            id: string;
            metrics?: components["schemas"]["ServiceMetrics"];
            name: string;
            /** @description Services that the caller can see. */
            serviceCount: number;
            /** Format: uuid */
            workspaceId: string;
        };
        /** @description One page of a list; `total` is the count across all pages. */
        ProjectPage: {
            items: components["schemas"]["Project"][];
            page: number;
            pageSize: number;
            total: number;
        };
        RecentProbe: {
            /** @description Mean over the calls; null without calls. */
            avgResponseMs: number | null;
            callCount: number;
            failedCalls: number;
            status: ("success" | "failure" | "timeout" | "skipped") | string;
            /** @description Start of the run, in epoch seconds. */
            timestamp: number;
        };
        /** @description The same buckets for the runs of one agent. */
        Region: {
            agentSlug: string;
            buckets: components["schemas"]["StatisticsBucket"][];
        };
        /** @description One run with all its steps. */
        Result: {
            agentSlug: string;
            /**
             * @description Why the run failed, if no assertion explains it, such as a refused connection; otherwise null.
             * @example shop.example:443 refused the connection
             */
            error: string | null;
            /** @description What failed. Null for a run that passed or was skipped. */
            failure: components["schemas"]["RunFailure"] | null;
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            probeAgentId: string;
            /** @description The language's result, with null in place of storage locators. Null for a skipped run. */
            rawResult: {
                [key: string]: unknown;
            } | null;
            runDurationMs: number;
            /**
             * @description The version of the script that ran. Null for a skipped run, and for runs that an older version stored.
             * @example 17
             */
            scriptVersion: number | null;
            /** Format: uuid */
            serviceId: string;
            /** Format: date-time */
            startedAt: string;
            status: ("success" | "failure" | "timeout" | "skipped") | string;
            steps: components["schemas"]["ResultStep"][];
        };
        /** @description One page of a list; `total` is the count across all pages. */
        ResultPage: {
            items: components["schemas"]["ResultSummary"][];
            page: number;
            pageSize: number;
            total: number;
        };
        /** @description One call of a run. */
        ResultStep: {
            assertionResults: components["schemas"]["AssertionResult"][];
            /** @description Null when `hasBody` is true. */
            bodyNotStoredReason: (("not_requested" | "too_large" | "timeout" | "no_body" | "expired" | "store_forgotten" | "store_unavailable") | string) | null;
            connectMs: number | null;
            dnsMs: number | null;
            error: string | null;
            /** @description Whether a body is stored; the body endpoint returns it. */
            hasBody: boolean;
            headers: {
                [key: string]: string | string[];
            };
            /** Format: uuid */
            id: string;
            /**
             * @description Request method as the script names it, in upper case.
             * @example GET
             */
            method: string;
            /**
             * @description `skipped` for a step that the run did not reach.
             * @example success
             */
            outcome: ("success" | "failure" | "timeout" | "skipped") | string;
            /** @description Null for a skipped step. */
            requestUrl: string | null;
            responseSizeBytes: number | null;
            responseTimeMs: number | null;
            statusCode: number | null;
            /** @description From 1, in the order of the script. */
            stepNum: number;
            tlsMs: number | null;
            transferMs: number | null;
            ttfbMs: number | null;
            /**
             * @description URL as written in the script, with variables in place; also of a skipped step.
             * @example https://shop.example/cart/$cartId
             */
            urlTemplate: string;
            /**
             * @description Pause after the step by `.wait()`, in milliseconds; 0 without one. It is no part of the response time.
             * @example 500
             */
            waitMs: number;
        };
        ResultSummary: {
            agentSlug: string;
            /** Format: uuid */
            id: string;
            runDurationMs: number;
            /**
             * @description The version of the script that ran. Null for a skipped run, and for runs that an older version stored.
             * @example 17
             */
            scriptVersion: number | null;
            /** Format: date-time */
            startedAt: string;
            status: ("success" | "failure" | "timeout" | "skipped") | string;
            /**
             * @description What failed, in one line: the first failing request, its cause, and how many more assertions failed. Null for other runs, and for runs that an older version stored.
             * @example GET https://shop.example/cart: status 500, expected 200 (2 more failed)
             */
            summary: string | null;
            /** @description Sum of the calls' response times, in milliseconds. */
            totalResponseMs: number;
        };
        /** @description Why a run failed. */
        RunFailure: {
            /** @description The first assertion that failed this step. Null when `error` is the cause. */
            assertion: components["schemas"]["FailedAssertion"] | null;
            /**
             * @description The cause without its request.
             * @example status 500, expected 200
             */
            cause: string;
            /**
             * @description Why the run failed, if no assertion explains it, such as a refused connection; otherwise null.
             * @example shop.example:443 refused the connection
             */
            error: string | null;
            /**
             * @description The first 500 characters of the step's response body, with secrets masked. Null if the body is not text, or if the service does not save response bodies.
             * @example {"message":"no connection to the database"}
             */
            excerpt: string | null;
            /**
             * @description How many assertions failed besides the cause, in all steps.
             * @example 2
             */
            moreFailed: number;
            /**
             * @description The phase of the request in which a timeout fell: name lookup, connection, TLS handshake, waiting for the first byte, or transfer of the body. Otherwise null.
             * @example ttfb
             */
            phase: (("dns" | "connect" | "tls" | "ttfb" | "transfer") | string) | null;
            /** @example failure */
            status: ("failure" | "timeout") | string;
            /** @description The first failing step. Null when the run failed as a whole. */
            step: {
                /** @example GET */
                method: string;
                /**
                 * @description Null without a response.
                 * @example 500
                 */
                statusCode: number | null;
                /**
                 * @description From 1, in the order of the script.
                 * @example 2
                 */
                stepNum: number;
                /**
                 * @description Before redirects.
                 * @example https://shop.example/cart
                 */
                url: string | null;
            } | null;
            /**
             * @description What failed, in one line: the first failing request, its cause, and how many more assertions failed.
             * @example GET https://shop.example/cart: status 500, expected 200 (2 more failed)
             */
            summary: string;
        };
        RunRequested: {
            /** @constant */
            ok: true;
            /**
             * Format: date-time
             * @description Whole seconds; pass it as `since` to find the run among the results.
             */
            requestedAt: string;
        };
        /** @description A scripted HTTP probe with a schedule. */
        Service: {
            /** @description One per host, the next to expire first; at most 50. Empty without TLS. */
            certificates: components["schemas"]["ServiceCertificate"][];
            /** Format: date-time */
            createdAt: string;
            /** Format: uuid */
            id: string;
            isActive: boolean;
            label: string | null;
            lastFailure?: components["schemas"]["LastFailure"];
            /** @description Null before the first run. */
            lastStatus: (("success" | "failure" | "timeout" | "skipped") | string) | null;
            lastStatusSince: string | null;
            metrics?: components["schemas"]["ServiceMetrics"];
            name: string;
            probeMode: ("consecutive" | "simultaneous" | "random") | string;
            /** Format: uuid */
            projectId: string;
            queuePolicy: ("skip" | "enqueue_once") | string;
            saveResponseBodies: boolean;
            schedule: string;
            /** @description Null until the first script is saved. */
            script: string | null;
            serviceWindow: string | null;
            /** @description Hosts that the script targets and the organization has not verified. */
            unverifiedTargets: string[];
            /** @description Increases by one with every script save. */
            version: number;
        };
        /** @description Who would be notified if the service failed now, and why. */
        ServiceAlerting: {
            /**
             * @description Whether the service has a listener: a member or an enabled webhook. If not, the owner is notified instead.
             * @example true
             */
            hasListener: boolean;
            /**
             * @description False when the installation has no mail server: no mail is sent.
             * @example true
             */
            isMailConfigured: boolean;
            /** @description At most 100: the caller first, then by name. */
            recipients: components["schemas"]["AlertRecipient"][];
            /** @example 1 */
            recipientsTotal: number;
            /**
             * Format: uuid
             * @example 0190a1b2-0000-7000-8000-000000000003
             */
            serviceId: string;
            settings: components["schemas"]["AlertSettings"];
            /** @description At most 100, by name; null without read on Webhooks. */
            webhooks: components["schemas"]["AlertedWebhook"][] | null;
            /**
             * @description How many are bound, enabled or not.
             * @example 1
             */
            webhooksTotal: number;
        };
        /** @description A TLS certificate that the runs of a service see. A host that shows several has the one that expires first. Hosts that no run has seen for a week are left out. */
        ServiceCertificate: {
            /**
             * @description Days until it expires, rounded up: 1 on the last day, 0 or less afterwards.
             * @example 27
             */
            daysLeft: number;
            /**
             * @description Host name, with the port if it is not 443.
             * @example shop.example
             */
            host: string;
            /**
             * @description Common name of its issuer.
             * @example R11
             */
            issuer: string | null;
            /**
             * Format: date-time
             * @description When a run last saw it, to the hour.
             */
            lastSeenAt: string;
            /**
             * Format: date-time
             * @description When the certificate expires.
             */
            notAfter: string;
            /**
             * @description Common name of its subject.
             * @example shop.example
             */
            subject: string | null;
        };
        /** @description Counters, state and percentiles over the services that the caller can see. */
        ServiceMetrics: {
            counters: components["schemas"]["MetricCounters"];
            percentiles: components["schemas"]["Percentiles"];
            /** @description For workspaces only. */
            projectCount?: number;
            /** @description For projects and workspaces only. */
            serviceCount?: number;
            state: components["schemas"]["MetricState"];
        };
        /** @description One page of a list; `total` is the count across all pages. */
        ServicePage: {
            items: components["schemas"]["Service"][];
            page: number;
            pageSize: number;
            total: number;
        };
        /** @description A service and its most recent runs in one read. */
        ServiceSnapshot: {
            /** @description The latest 50 runs at most, newest first. */
            recentProbes: components["schemas"]["RecentProbe"][];
            service: components["schemas"]["Service"];
        };
        /** @description A rule of the calling user that keeps notifications from being sent to them. */
        Silence: {
            channel: ("email" | "all" | "quiet-hours") | string;
            config: string | null;
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            orgUserId: string;
            projectId: string | null;
            quietHours: string | null;
            resourceName: string | null;
            serviceId: string | null;
            workspaceId: string | null;
        };
        /** @description One page of a list; `total` is the count across all pages. */
        SilencePage: {
            items: components["schemas"]["Silence"][];
            page: number;
            pageSize: number;
            total: number;
        };
        Statistics: {
            bucketType: ("hour" | "day") | string;
            /** @description Most called first. */
            endpoints: components["schemas"]["EndpointStatistics"][];
            /** @description True when there are more than 50 endpoints. */
            endpointsTruncated: boolean;
            /** @description Oldest first; hours or days without runs are present. */
            overall: components["schemas"]["StatisticsBucket"][];
            regions: components["schemas"]["Region"][];
            window: ("24h" | "7d" | "30d" | "90d") | string;
        };
        StatisticsBucket: {
            /** Format: date-time */
            bucketStart: string;
            /** @description Share of failed and timed-out runs; null without runs. */
            errorRatePct: number | null;
            p50Ms: number | null;
            p95Ms: number | null;
            p99Ms: number | null;
            /** @description Executed runs. */
            probeCount: number;
            /** @description Share of successful runs; null without runs. */
            uptimePct: number | null;
        };
        StepBody: {
            content: string;
            /** @description Null when no content type was recorded, or when it is not safe to return. */
            contentType: string | null;
            /** @description Null when `content` is plain text. */
            encoding: ("base64" | string) | null;
        };
        ToggleResult: {
            changed: number;
            /** @description Services that the request selects. */
            matched: number;
            /** @description The first 100 services that could not be switched; `reason` is an error code. */
            skipped: {
                name: string;
                reason: string;
                /** Format: uuid */
                serviceId: string;
            }[];
            skippedByReason: {
                [key: string]: number;
            };
            skippedTotal: number;
            /** @description Services that already were in the requested state. */
            unchanged: number;
        };
        /** @description A value that scripts read by its scope and key. */
        Variable: {
            /**
             * @description The hosts that a secret may be sent to; empty for any host, and for other types.
             * @example [
             *       "api.example.com",
             *       "*.example.net:8443"
             *     ]
             */
            allowedHosts: string[];
            /** Format: date-time */
            createdAt: string;
            /** Format: uuid */
            id: string;
            key: string;
            /** @description True when `value` is the mask. */
            masked: boolean;
            /** @description Set for variables that Soundline creates for every service. */
            systemType: (("integer" | "boolean") | string) | null;
            type: ("variable" | "secret" | "metric") | string;
            /** Format: date-time */
            updatedAt: string;
            /** @description The stored value of a metric; otherwise the mask ••••••. */
            value: string;
        };
        /** @description Every variable that a resource can use, from its own scope up to the organization. */
        VariableHierarchy: {
            scopes: components["schemas"]["VariableScope"][];
        };
        /** @description One page of a list; `total` is the count across all pages. */
        VariablePage: {
            items: components["schemas"]["Variable"][];
            page: number;
            pageSize: number;
            total: number;
        };
        VariableScope: {
            /** @description Whether the caller may write here. */
            editable: boolean;
            locked: components["schemas"]["LockedVariable"][];
            /** @description How a script addresses the scope, such as `$w.`. */
            prefix: string;
            /** Format: uuid */
            resourceId: string;
            resourceName: string;
            scope: ("organization" | "workspace" | "project" | "service") | string;
            variables: components["schemas"]["Variable"][];
        };
        /** @description A webhook without its URL, headers, body and configuration, which are never shown. */
        Webhook: {
            /** Format: date-time */
            createdAt: string;
            /** Format: uuid */
            id: string;
            label: string | null;
            method: string;
            name: string;
        };
        /** @description While enabled, sends the events of a resource and everything in it to a webhook. */
        WebhookBinding: {
            /** Format: date-time */
            createdAt: string;
            enabled: boolean;
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            webhookId: string;
            webhookName: string;
        };
        /** @description One page of a list; `total` is the count across all pages. */
        WebhookBindingPage: {
            items: components["schemas"]["WebhookBinding"][];
            page: number;
            pageSize: number;
            total: number;
        };
        /** @description One page of a list; `total` is the count across all pages. */
        WebhookPage: {
            items: components["schemas"]["Webhook"][];
            page: number;
            pageSize: number;
            total: number;
        };
        /** @description A container of projects. */
        Workspace: {
            /** Format: date-time */
            createdAt: string;
            /** Format: uuid */
            id: string;
            name: string;
        };
        /** @description One page of a list; `total` is the count across all pages. */
        WorkspacePage: {
            items: components["schemas"]["Workspace"][];
            page: number;
            pageSize: number;
            total: number;
        };
    };
    responses: {
        /**
         * @description - `api_key_read_only`: A read key sent a method other than GET or HEAD.
         *     - `totp_enrollment_required`: The organization or a group requires two-factor authentication, and the member has not enrolled.
         */
        Error403ApiKeyReadOnlyTotpEnrollmentRequired: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    /** @description The address of the code in the guide. */
                    doc: string;
                    /** @description A stable code. Codes can be added: treat an unknown code as a general failure. */
                    error: ("api_key_read_only" | "totp_enrollment_required") | string;
                    /** @description What to do, in one sentence for people. The text can change. */
                    message: string;
                };
            };
        };
        /**
         * @description - `api_key_read_only`: A read key sent a method other than GET or HEAD.
         *     - `totp_enrollment_required`: The organization or a group requires two-factor authentication, and the member has not enrolled.
         *     - `insufficient_permissions`: The member lacks the organization permission that the endpoint requires.
         */
        Error403ApiKeyReadOnlyTotpEnrollmentRequiredInsufficientPermissions: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    /** @description The address of the code in the guide. */
                    doc: string;
                    /** @description A stable code. Codes can be added: treat an unknown code as a general failure. */
                    error: ("api_key_read_only" | "totp_enrollment_required" | "insufficient_permissions") | string;
                    /** @description What to do, in one sentence for people. The text can change. */
                    message: string;
                };
            };
        };
        /** @description - `totp_enrollment_required`: The organization or a group requires two-factor authentication, and the member has not enrolled. */
        Error403TotpEnrollmentRequired: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    /** @description The address of the code in the guide. */
                    doc: string;
                    /** @description A stable code. Codes can be added: treat an unknown code as a general failure. */
                    error: "totp_enrollment_required" | string;
                    /** @description What to do, in one sentence for people. The text can change. */
                    message: string;
                };
            };
        };
        /**
         * @description - `totp_enrollment_required`: The organization or a group requires two-factor authentication, and the member has not enrolled.
         *     - `insufficient_permissions`: The member lacks the organization permission that the endpoint requires.
         */
        Error403TotpEnrollmentRequiredInsufficientPermissions: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    /** @description The address of the code in the guide. */
                    doc: string;
                    /** @description A stable code. Codes can be added: treat an unknown code as a general failure. */
                    error: ("totp_enrollment_required" | "insufficient_permissions") | string;
                    /** @description What to do, in one sentence for people. The text can change. */
                    message: string;
                };
            };
        };
        /** @description - `not_found`: The resource does not exist, or the member may not see or change it. Details: field. */
        Error404NotFound: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    details?: {
                        /** @description The parameter or body field that the error is about. */
                        field?: string;
                    };
                    /** @description The address of the code in the guide. */
                    doc: string;
                    /** @description A stable code. Codes can be added: treat an unknown code as a general failure. */
                    error: "not_found" | string;
                    /** @description What to do, in one sentence for people. The text can change. */
                    message: string;
                };
            };
        };
        /** @description - `already_exists`: A resource with this name or key already exists. Details: field, id. */
        Error409AlreadyExists: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    details?: {
                        /** @description The parameter or body field that the error is about. */
                        field?: string;
                        /** @description The id of the existing resource, where the caller may see it. */
                        id?: string;
                    };
                    /** @description The address of the code in the guide. */
                    doc: string;
                    /** @description A stable code. Codes can be added: treat an unknown code as a general failure. */
                    error: "already_exists" | string;
                    /** @description What to do, in one sentence for people. The text can change. */
                    message: string;
                };
            };
        };
        /**
         * @description - `already_exists`: A resource with this name or key already exists. Details: field, id.
         *     - `version_conflict`: The version is not the current one. Details: field, version.
         */
        Error409AlreadyExistsVersionConflict: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    details?: {
                        /** @description The parameter or body field that the error is about. */
                        field?: string;
                        /** @description The id of the existing resource, where the caller may see it. */
                        id?: string;
                        /** @description The current version of the service. */
                        version?: number;
                    };
                    /** @description The address of the code in the guide. */
                    doc: string;
                    /** @description A stable code. Codes can be added: treat an unknown code as a general failure. */
                    error: ("already_exists" | "version_conflict") | string;
                    /** @description What to do, in one sentence for people. The text can change. */
                    message: string;
                };
            };
        };
        /** @description - `binding_exists`: The webhook is already bound to the resource. Details: field, id. */
        Error409BindingExists: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    details?: {
                        /** @description The parameter or body field that the error is about. */
                        field?: string;
                        /** @description The id of the existing resource, where the caller may see it. */
                        id?: string;
                    };
                    /** @description The address of the code in the guide. */
                    doc: string;
                    /** @description A stable code. Codes can be added: treat an unknown code as a general failure. */
                    error: "binding_exists" | string;
                    /** @description What to do, in one sentence for people. The text can change. */
                    message: string;
                };
            };
        };
        /**
         * @description - `service_inactive`: The service is switched off.
         *     - `script_missing`: The service has no script.
         */
        Error409ServiceInactiveScriptMissing: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    /** @description The address of the code in the guide. */
                    doc: string;
                    /** @description A stable code. Codes can be added: treat an unknown code as a general failure. */
                    error: ("service_inactive" | "script_missing") | string;
                    /** @description What to do, in one sentence for people. The text can change. */
                    message: string;
                };
            };
        };
        /** @description - `version_conflict`: The version is not the current one. Details: field, version. */
        Error409VersionConflict: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    details?: {
                        /** @description The parameter or body field that the error is about. */
                        field?: string;
                        /** @description The current version of the service. */
                        version?: number;
                    };
                    /** @description The address of the code in the guide. */
                    doc: string;
                    /** @description A stable code. Codes can be added: treat an unknown code as a general failure. */
                    error: "version_conflict" | string;
                    /** @description What to do, in one sentence for people. The text can change. */
                    message: string;
                };
            };
        };
        /** @description - `body_gone`: A body was recorded, but it is no longer stored. Do not retry. */
        Error410BodyGone: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    /** @description The address of the code in the guide. */
                    doc: string;
                    /** @description A stable code. Codes can be added: treat an unknown code as a general failure. */
                    error: "body_gone" | string;
                    /** @description What to do, in one sentence for people. The text can change. */
                    message: string;
                };
            };
        };
        /** @description - `body_too_large`: The stored body is too large to be served inline. Details: maxBytes. */
        Error413BodyTooLarge: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    details?: {
                        /** @description The maximum size in bytes. */
                        maxBytes?: number;
                    };
                    /** @description The address of the code in the guide. */
                    doc: string;
                    /** @description A stable code. Codes can be added: treat an unknown code as a general failure. */
                    error: "body_too_large" | string;
                    /** @description What to do, in one sentence for people. The text can change. */
                    message: string;
                };
            };
        };
        /** @description - `request_body_too_large`: The request body is over the limit. Details: maxBytes. */
        Error413RequestBodyTooLarge: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    details?: {
                        /** @description The maximum size in bytes. */
                        maxBytes?: number;
                    };
                    /** @description The address of the code in the guide. */
                    doc: string;
                    /** @description A stable code. Codes can be added: treat an unknown code as a general failure. */
                    error: "request_body_too_large" | string;
                    /** @description What to do, in one sentence for people. The text can change. */
                    message: string;
                };
            };
        };
        /**
         * @description - `rate_limited`: The key is over its rate limit; wait for Retry-After seconds.
         *     - `too_many_unknown_keys`: The address sent too many requests with unknown or no tokens; wait for Retry-After seconds.
         */
        Error429RateLimitedTooManyUnknownKeys: {
            headers: {
                "Retry-After": components["headers"]["Retry-After"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    /** @description The address of the code in the guide. */
                    doc: string;
                    /** @description A stable code. Codes can be added: treat an unknown code as a general failure. */
                    error: ("rate_limited" | "too_many_unknown_keys") | string;
                    /** @description What to do, in one sentence for people. The text can change. */
                    message: string;
                };
            };
        };
        /** @description - `internal_error`: The server failed. */
        Error500InternalError: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    /** @description The address of the code in the guide. */
                    doc: string;
                    /** @description A stable code. Codes can be added: treat an unknown code as a general failure. */
                    error: "internal_error" | string;
                    /** @description What to do, in one sentence for people. The text can change. */
                    message: string;
                };
            };
        };
        /**
         * @description - `body_store_unavailable`: The body store did not respond in time; wait for Retry-After seconds.
         *     - `service_unavailable`: The database does not respond, or too many requests wait for it; wait for Retry-After seconds. A write may have taken effect.
         */
        Error503BodyStoreUnavailableServiceUnavailable: {
            headers: {
                "Retry-After": components["headers"]["Retry-After"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    /** @description The address of the code in the guide. */
                    doc: string;
                    /** @description A stable code. Codes can be added: treat an unknown code as a general failure. */
                    error: ("body_store_unavailable" | "service_unavailable") | string;
                    /** @description What to do, in one sentence for people. The text can change. */
                    message: string;
                };
            };
        };
        /** @description - `service_unavailable`: The database does not respond, or too many requests wait for it; wait for Retry-After seconds. A write may have taken effect. */
        Error503ServiceUnavailable: {
            headers: {
                "Retry-After": components["headers"]["Retry-After"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    /** @description The address of the code in the guide. */
                    doc: string;
                    /** @description A stable code. Codes can be added: treat an unknown code as a general failure. */
                    error: "service_unavailable" | string;
                    /** @description What to do, in one sentence for people. The text can change. */
                    message: string;
                };
            };
        };
        /**
         * @description - `missing_auth_header`: The request has no Authorization header.
         *     - `invalid_token`: The Authorization header has no bearer token.
         *     - `invalid_api_key`: No key matches the token.
         *     - `api_key_revoked`: The key was revoked, which is permanent.
         *     - `api_key_expired`: The key has expired.
         *     - `api_key_owner_inactive`: The member's membership or account is disabled or was removed.
         */
        Unauthorized: {
            headers: {
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    /** @description The address of the code in the guide. */
                    doc: string;
                    /** @description A stable code. Codes can be added: treat an unknown code as a general failure. */
                    error: ("missing_auth_header" | "invalid_token" | "invalid_api_key" | "api_key_revoked" | "api_key_expired" | "api_key_owner_inactive") | string;
                    /** @description What to do, in one sentence for people. The text can change. */
                    message: string;
                };
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: {
        /** @description Seconds until a request can succeed. */
        "Retry-After": number;
        /** @description The scheme of the credential: `Bearer`. */
        "WWW-Authenticate": string;
        /** @description The key's maximum of requests per window. Absent while rate limiting is switched off. */
        "X-RateLimit-Limit": number;
        /** @description Requests that remain in this window. */
        "X-RateLimit-Remaining": number;
        /** @description Seconds until this window ends. */
        "X-RateLimit-Reset": number;
        /** @description The request's id in the server's log. */
        "X-Request-Id": string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    listAccess: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                resourceId: string;
                resourceType: "workspace" | "project" | "service";
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccessEntry"][];
                };
            };
            /**
             * @description - `field_invalid`: A parameter or a checked value is not accepted. Details: field, reason, max.
             *     - `invalid_uuid`: An id is not a UUID. Details: field, errors.
             *     - `invalid_path`: The path is not in its canonical form.
             */
            400: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        details?: {
                            /** @description Every problem of the script, or the first 20 wrong fields of the body when there are several. */
                            errors?: {
                                callIndex?: number | null;
                                /**
                                 * @description A code of the language, or one of the platform: `SECRET_HOST_NOT_ALLOWED` (a secret would be sent to a host that is not among its `allowedHosts`), `HOST_HEADER_TWICE`, `HOST_HEADER_DIFFERS`. For a field of the body, the error code.
                                 * @example SECRET_HOST_NOT_ALLOWED
                                 */
                                code: string;
                                /** @description From 1. */
                                column?: number | null;
                                detail?: string | null;
                                field?: string | null;
                                /** @description From 1. */
                                line?: number | null;
                                /** @description What is wrong with the field of the body, in words for people. */
                                reason?: string;
                            }[];
                            /** @description The parameter or body field that the error is about. */
                            field?: string;
                            /** @description The upper bound. */
                            max?: number;
                            /** @description What is wrong with the field, in words for people. */
                            reason?: string;
                        };
                        /** @description The address of the code in the guide. */
                        doc: string;
                        /** @description A stable code. Codes can be added: treat an unknown code as a general failure. */
                        error: ("field_invalid" | "invalid_uuid" | "invalid_path") | string;
                        /** @description What to do, in one sentence for people. The text can change. */
                        message: string;
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Error403TotpEnrollmentRequired"];
            404: components["responses"]["Error404NotFound"];
            429: components["responses"]["Error429RateLimitedTooManyUnknownKeys"];
            500: components["responses"]["Error500InternalError"];
            503: components["responses"]["Error503ServiceUnavailable"];
        };
    };
    setAccess: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                resourceId: string;
                resourceType: "workspace" | "project" | "service";
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    permissions: 1 | 2;
                    /** Format: uuid */
                    principalId: string;
                    /** @enum {string} */
                    principalType: "user" | "group";
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Ok"];
                };
            };
            /**
             * @description - `field_invalid`: A parameter or a checked value is not accepted. Details: field, reason, max.
             *     - `invalid_uuid`: An id is not a UUID. Details: field, errors.
             *     - `invalid_request_body`: The body is not a JSON object, or one of its fields is not accepted. Details: field, reason, errors.
             *     - `invalid_path`: The path is not in its canonical form.
             */
            400: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        details?: {
                            /** @description Every problem of the script, or the first 20 wrong fields of the body when there are several. */
                            errors?: {
                                callIndex?: number | null;
                                /**
                                 * @description A code of the language, or one of the platform: `SECRET_HOST_NOT_ALLOWED` (a secret would be sent to a host that is not among its `allowedHosts`), `HOST_HEADER_TWICE`, `HOST_HEADER_DIFFERS`. For a field of the body, the error code.
                                 * @example SECRET_HOST_NOT_ALLOWED
                                 */
                                code: string;
                                /** @description From 1. */
                                column?: number | null;
                                detail?: string | null;
                                field?: string | null;
                                /** @description From 1. */
                                line?: number | null;
                                /** @description What is wrong with the field of the body, in words for people. */
                                reason?: string;
                            }[];
                            /** @description The parameter or body field that the error is about. */
                            field?: string;
                            /** @description The upper bound. */
                            max?: number;
                            /** @description What is wrong with the field, in words for people. */
                            reason?: string;
                        };
                        /** @description The address of the code in the guide. */
                        doc: string;
                        /** @description A stable code. Codes can be added: treat an unknown code as a general failure. */
                        error: ("field_invalid" | "invalid_uuid" | "invalid_request_body" | "invalid_path") | string;
                        /** @description What to do, in one sentence for people. The text can change. */
                        message: string;
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Error403ApiKeyReadOnlyTotpEnrollmentRequired"];
            404: components["responses"]["Error404NotFound"];
            413: components["responses"]["Error413RequestBodyTooLarge"];
            429: components["responses"]["Error429RateLimitedTooManyUnknownKeys"];
            500: components["responses"]["Error500InternalError"];
            503: components["responses"]["Error503ServiceUnavailable"];
        };
    };
    removeAccess: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                principalId: string;
                principalType: "user" | "group";
                resourceId: string;
                resourceType: "workspace" | "project" | "service";
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Ok"];
                };
            };
            /**
             * @description - `field_invalid`: A parameter or a checked value is not accepted. Details: field, reason, max.
             *     - `invalid_uuid`: An id is not a UUID. Details: field, errors.
             *     - `invalid_request_body`: The body is not a JSON object, or one of its fields is not accepted. Details: field, reason, errors.
             *     - `invalid_path`: The path is not in its canonical form.
             */
            400: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        details?: {
                            /** @description Every problem of the script, or the first 20 wrong fields of the body when there are several. */
                            errors?: {
                                callIndex?: number | null;
                                /**
                                 * @description A code of the language, or one of the platform: `SECRET_HOST_NOT_ALLOWED` (a secret would be sent to a host that is not among its `allowedHosts`), `HOST_HEADER_TWICE`, `HOST_HEADER_DIFFERS`. For a field of the body, the error code.
                                 * @example SECRET_HOST_NOT_ALLOWED
                                 */
                                code: string;
                                /** @description From 1. */
                                column?: number | null;
                                detail?: string | null;
                                field?: string | null;
                                /** @description From 1. */
                                line?: number | null;
                                /** @description What is wrong with the field of the body, in words for people. */
                                reason?: string;
                            }[];
                            /** @description The parameter or body field that the error is about. */
                            field?: string;
                            /** @description The upper bound. */
                            max?: number;
                            /** @description What is wrong with the field, in words for people. */
                            reason?: string;
                        };
                        /** @description The address of the code in the guide. */
                        doc: string;
                        /** @description A stable code. Codes can be added: treat an unknown code as a general failure. */
                        error: ("field_invalid" | "invalid_uuid" | "invalid_request_body" | "invalid_path") | string;
                        /** @description What to do, in one sentence for people. The text can change. */
                        message: string;
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Error403ApiKeyReadOnlyTotpEnrollmentRequired"];
            404: components["responses"]["Error404NotFound"];
            413: components["responses"]["Error413RequestBodyTooLarge"];
            429: components["responses"]["Error429RateLimitedTooManyUnknownKeys"];
            500: components["responses"]["Error500InternalError"];
            503: components["responses"]["Error503ServiceUnavailable"];
        };
    };
    listAgents: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Agent"][];
                };
            };
            /**
             * @description - `field_invalid`: A parameter or a checked value is not accepted. Details: field, reason, max.
             *     - `invalid_path`: The path is not in its canonical form.
             */
            400: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        details?: {
                            /** @description The parameter or body field that the error is about. */
                            field?: string;
                            /** @description The upper bound. */
                            max?: number;
                            /** @description What is wrong with the field, in words for people. */
                            reason?: string;
                        };
                        /** @description The address of the code in the guide. */
                        doc: string;
                        /** @description A stable code. Codes can be added: treat an unknown code as a general failure. */
                        error: ("field_invalid" | "invalid_path") | string;
                        /** @description What to do, in one sentence for people. The text can change. */
                        message: string;
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Error403TotpEnrollmentRequired"];
            429: components["responses"]["Error429RateLimitedTooManyUnknownKeys"];
            500: components["responses"]["Error500InternalError"];
            503: components["responses"]["Error503ServiceUnavailable"];
        };
    };
    listGroups: {
        parameters: {
            query?: {
                page?: number;
                pageSize?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GroupPage"];
                };
            };
            /**
             * @description - `field_invalid`: A parameter or a checked value is not accepted. Details: field, reason, max.
             *     - `invalid_path`: The path is not in its canonical form.
             */
            400: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        details?: {
                            /** @description The parameter or body field that the error is about. */
                            field?: string;
                            /** @description The upper bound. */
                            max?: number;
                            /** @description What is wrong with the field, in words for people. */
                            reason?: string;
                        };
                        /** @description The address of the code in the guide. */
                        doc: string;
                        /** @description A stable code. Codes can be added: treat an unknown code as a general failure. */
                        error: ("field_invalid" | "invalid_path") | string;
                        /** @description What to do, in one sentence for people. The text can change. */
                        message: string;
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Error403TotpEnrollmentRequiredInsufficientPermissions"];
            429: components["responses"]["Error429RateLimitedTooManyUnknownKeys"];
            500: components["responses"]["Error500InternalError"];
            503: components["responses"]["Error503ServiceUnavailable"];
        };
    };
    listIncidents: {
        parameters: {
            query?: {
                page?: number;
                pageSize?: number;
                projectId?: string;
                serviceId?: string;
                state?: "open" | "closed";
                workspaceId?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IncidentPage"];
                };
            };
            /**
             * @description - `field_invalid`: A parameter or a checked value is not accepted. Details: field, reason, max.
             *     - `invalid_uuid`: An id is not a UUID. Details: field, errors.
             *     - `invalid_path`: The path is not in its canonical form.
             */
            400: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        details?: {
                            /** @description Every problem of the script, or the first 20 wrong fields of the body when there are several. */
                            errors?: {
                                callIndex?: number | null;
                                /**
                                 * @description A code of the language, or one of the platform: `SECRET_HOST_NOT_ALLOWED` (a secret would be sent to a host that is not among its `allowedHosts`), `HOST_HEADER_TWICE`, `HOST_HEADER_DIFFERS`. For a field of the body, the error code.
                                 * @example SECRET_HOST_NOT_ALLOWED
                                 */
                                code: string;
                                /** @description From 1. */
                                column?: number | null;
                                detail?: string | null;
                                field?: string | null;
                                /** @description From 1. */
                                line?: number | null;
                                /** @description What is wrong with the field of the body, in words for people. */
                                reason?: string;
                            }[];
                            /** @description The parameter or body field that the error is about. */
                            field?: string;
                            /** @description The upper bound. */
                            max?: number;
                            /** @description What is wrong with the field, in words for people. */
                            reason?: string;
                        };
                        /** @description The address of the code in the guide. */
                        doc: string;
                        /** @description A stable code. Codes can be added: treat an unknown code as a general failure. */
                        error: ("field_invalid" | "invalid_uuid" | "invalid_path") | string;
                        /** @description What to do, in one sentence for people. The text can change. */
                        message: string;
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Error403TotpEnrollmentRequired"];
            404: components["responses"]["Error404NotFound"];
            429: components["responses"]["Error429RateLimitedTooManyUnknownKeys"];
            500: components["responses"]["Error500InternalError"];
            503: components["responses"]["Error503ServiceUnavailable"];
        };
    };
    getIncident: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IncidentDetails"];
                };
            };
            /**
             * @description - `invalid_uuid`: An id is not a UUID. Details: field, errors.
             *     - `invalid_path`: The path is not in its canonical form.
             */
            400: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        details?: {
                            /** @description Every problem of the script, or the first 20 wrong fields of the body when there are several. */
                            errors?: {
                                callIndex?: number | null;
                                /**
                                 * @description A code of the language, or one of the platform: `SECRET_HOST_NOT_ALLOWED` (a secret would be sent to a host that is not among its `allowedHosts`), `HOST_HEADER_TWICE`, `HOST_HEADER_DIFFERS`. For a field of the body, the error code.
                                 * @example SECRET_HOST_NOT_ALLOWED
                                 */
                                code: string;
                                /** @description From 1. */
                                column?: number | null;
                                detail?: string | null;
                                field?: string | null;
                                /** @description From 1. */
                                line?: number | null;
                                /** @description What is wrong with the field of the body, in words for people. */
                                reason?: string;
                            }[];
                            /** @description The parameter or body field that the error is about. */
                            field?: string;
                        };
                        /** @description The address of the code in the guide. */
                        doc: string;
                        /** @description A stable code. Codes can be added: treat an unknown code as a general failure. */
                        error: ("invalid_uuid" | "invalid_path") | string;
                        /** @description What to do, in one sentence for people. The text can change. */
                        message: string;
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Error403TotpEnrollmentRequired"];
            404: components["responses"]["Error404NotFound"];
            429: components["responses"]["Error429RateLimitedTooManyUnknownKeys"];
            500: components["responses"]["Error500InternalError"];
            503: components["responses"]["Error503ServiceUnavailable"];
        };
    };
    acknowledgeIncident: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Incident"];
                };
            };
            /**
             * @description - `invalid_uuid`: An id is not a UUID. Details: field, errors.
             *     - `invalid_request_body`: The body is not a JSON object, or one of its fields is not accepted. Details: field, reason, errors.
             *     - `invalid_path`: The path is not in its canonical form.
             */
            400: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        details?: {
                            /** @description Every problem of the script, or the first 20 wrong fields of the body when there are several. */
                            errors?: {
                                callIndex?: number | null;
                                /**
                                 * @description A code of the language, or one of the platform: `SECRET_HOST_NOT_ALLOWED` (a secret would be sent to a host that is not among its `allowedHosts`), `HOST_HEADER_TWICE`, `HOST_HEADER_DIFFERS`. For a field of the body, the error code.
                                 * @example SECRET_HOST_NOT_ALLOWED
                                 */
                                code: string;
                                /** @description From 1. */
                                column?: number | null;
                                detail?: string | null;
                                field?: string | null;
                                /** @description From 1. */
                                line?: number | null;
                                /** @description What is wrong with the field of the body, in words for people. */
                                reason?: string;
                            }[];
                            /** @description The parameter or body field that the error is about. */
                            field?: string;
                            /** @description What is wrong with the field, in words for people. */
                            reason?: string;
                        };
                        /** @description The address of the code in the guide. */
                        doc: string;
                        /** @description A stable code. Codes can be added: treat an unknown code as a general failure. */
                        error: ("invalid_uuid" | "invalid_request_body" | "invalid_path") | string;
                        /** @description What to do, in one sentence for people. The text can change. */
                        message: string;
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Error403ApiKeyReadOnlyTotpEnrollmentRequired"];
            404: components["responses"]["Error404NotFound"];
            413: components["responses"]["Error413RequestBodyTooLarge"];
            429: components["responses"]["Error429RateLimitedTooManyUnknownKeys"];
            500: components["responses"]["Error500InternalError"];
            503: components["responses"]["Error503ServiceUnavailable"];
        };
    };
    addIncidentNote: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description Trimmed; it can have several lines.
                     * @example The payment provider is down.
                     */
                    text: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IncidentNote"];
                };
            };
            /**
             * @description - `invalid_uuid`: An id is not a UUID. Details: field, errors.
             *     - `invalid_request_body`: The body is not a JSON object, or one of its fields is not accepted. Details: field, reason, errors.
             *     - `invalid_path`: The path is not in its canonical form.
             *     - `note_limit_reached`: The incident has as many notes as it may have. Details: max.
             */
            400: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        details?: {
                            /** @description Every problem of the script, or the first 20 wrong fields of the body when there are several. */
                            errors?: {
                                callIndex?: number | null;
                                /**
                                 * @description A code of the language, or one of the platform: `SECRET_HOST_NOT_ALLOWED` (a secret would be sent to a host that is not among its `allowedHosts`), `HOST_HEADER_TWICE`, `HOST_HEADER_DIFFERS`. For a field of the body, the error code.
                                 * @example SECRET_HOST_NOT_ALLOWED
                                 */
                                code: string;
                                /** @description From 1. */
                                column?: number | null;
                                detail?: string | null;
                                field?: string | null;
                                /** @description From 1. */
                                line?: number | null;
                                /** @description What is wrong with the field of the body, in words for people. */
                                reason?: string;
                            }[];
                            /** @description The parameter or body field that the error is about. */
                            field?: string;
                            /** @description The upper bound. */
                            max?: number;
                            /** @description What is wrong with the field, in words for people. */
                            reason?: string;
                        };
                        /** @description The address of the code in the guide. */
                        doc: string;
                        /** @description A stable code. Codes can be added: treat an unknown code as a general failure. */
                        error: ("invalid_uuid" | "invalid_request_body" | "invalid_path" | "note_limit_reached") | string;
                        /** @description What to do, in one sentence for people. The text can change. */
                        message: string;
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Error403ApiKeyReadOnlyTotpEnrollmentRequired"];
            404: components["responses"]["Error404NotFound"];
            413: components["responses"]["Error413RequestBodyTooLarge"];
            429: components["responses"]["Error429RateLimitedTooManyUnknownKeys"];
            500: components["responses"]["Error500InternalError"];
            503: components["responses"]["Error503ServiceUnavailable"];
        };
    };
    getKey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKeyInfo"];
                };
            };
            /** @description - `invalid_path`: The path is not in its canonical form. */
            400: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The address of the code in the guide. */
                        doc: string;
                        /** @description A stable code. Codes can be added: treat an unknown code as a general failure. */
                        error: "invalid_path" | string;
                        /** @description What to do, in one sentence for people. The text can change. */
                        message: string;
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Error403TotpEnrollmentRequired"];
            429: components["responses"]["Error429RateLimitedTooManyUnknownKeys"];
            500: components["responses"]["Error500InternalError"];
            503: components["responses"]["Error503ServiceUnavailable"];
        };
    };
    listMembers: {
        parameters: {
            query?: {
                page?: number;
                pageSize?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MemberPage"];
                };
            };
            /**
             * @description - `field_invalid`: A parameter or a checked value is not accepted. Details: field, reason, max.
             *     - `invalid_path`: The path is not in its canonical form.
             */
            400: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        details?: {
                            /** @description The parameter or body field that the error is about. */
                            field?: string;
                            /** @description The upper bound. */
                            max?: number;
                            /** @description What is wrong with the field, in words for people. */
                            reason?: string;
                        };
                        /** @description The address of the code in the guide. */
                        doc: string;
                        /** @description A stable code. Codes can be added: treat an unknown code as a general failure. */
                        error: ("field_invalid" | "invalid_path") | string;
                        /** @description What to do, in one sentence for people. The text can change. */
                        message: string;
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Error403TotpEnrollmentRequiredInsufficientPermissions"];
            429: components["responses"]["Error429RateLimitedTooManyUnknownKeys"];
            500: components["responses"]["Error500InternalError"];
            503: components["responses"]["Error503ServiceUnavailable"];
        };
    };
    listProjects: {
        parameters: {
            query: {
                page?: number;
                pageSize?: number;
                workspaceId: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProjectPage"];
                };
            };
            /**
             * @description - `field_invalid`: A parameter or a checked value is not accepted. Details: field, reason, max.
             *     - `field_required`: A required parameter or checked value is missing. Details: field, errors.
             *     - `invalid_uuid`: An id is not a UUID. Details: field, errors.
             *     - `invalid_path`: The path is not in its canonical form.
             */
            400: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        details?: {
                            /** @description Every problem of the script, or the first 20 wrong fields of the body when there are several. */
                            errors?: {
                                callIndex?: number | null;
                                /**
                                 * @description A code of the language, or one of the platform: `SECRET_HOST_NOT_ALLOWED` (a secret would be sent to a host that is not among its `allowedHosts`), `HOST_HEADER_TWICE`, `HOST_HEADER_DIFFERS`. For a field of the body, the error code.
                                 * @example SECRET_HOST_NOT_ALLOWED
                                 */
                                code: string;
                                /** @description From 1. */
                                column?: number | null;
                                detail?: string | null;
                                field?: string | null;
                                /** @description From 1. */
                                line?: number | null;
                                /** @description What is wrong with the field of the body, in words for people. */
                                reason?: string;
                            }[];
                            /** @description The parameter or body field that the error is about. */
                            field?: string;
                            /** @description The upper bound. */
                            max?: number;
                            /** @description What is wrong with the field, in words for people. */
                            reason?: string;
                        };
                        /** @description The address of the code in the guide. */
                        doc: string;
                        /** @description A stable code. Codes can be added: treat an unknown code as a general failure. */
                        error: ("field_invalid" | "field_required" | "invalid_uuid" | "invalid_path") | string;
                        /** @description What to do, in one sentence for people. The text can change. */
                        message: string;
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Error403TotpEnrollmentRequired"];
            404: components["responses"]["Error404NotFound"];
            429: components["responses"]["Error429RateLimitedTooManyUnknownKeys"];
            500: components["responses"]["Error500InternalError"];
            503: components["responses"]["Error503ServiceUnavailable"];
        };
    };
    createProject: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Trimmed; must not contain control characters or line breaks. */
                    name: string;
                    /** Format: uuid */
                    workspaceId: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Project"];
                };
            };
            /**
             * @description - `invalid_uuid`: An id is not a UUID. Details: field, errors.
             *     - `invalid_request_body`: The body is not a JSON object, or one of its fields is not accepted. Details: field, reason, errors.
             *     - `invalid_path`: The path is not in its canonical form.
             */
            400: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        details?: {
                            /** @description Every problem of the script, or the first 20 wrong fields of the body when there are several. */
                            errors?: {
                                callIndex?: number | null;
                                /**
                                 * @description A code of the language, or one of the platform: `SECRET_HOST_NOT_ALLOWED` (a secret would be sent to a host that is not among its `allowedHosts`), `HOST_HEADER_TWICE`, `HOST_HEADER_DIFFERS`. For a field of the body, the error code.
                                 * @example SECRET_HOST_NOT_ALLOWED
                                 */
                                code: string;
                                /** @description From 1. */
                                column?: number | null;
                                detail?: string | null;
                                field?: string | null;
                                /** @description From 1. */
                                line?: number | null;
                                /** @description What is wrong with the field of the body, in words for people. */
                                reason?: string;
                            }[];
                            /** @description The parameter or body field that the error is about. */
                            field?: string;
                            /** @description What is wrong with the field, in words for people. */
                            reason?: string;
                        };
                        /** @description The address of the code in the guide. */
                        doc: string;
                        /** @description A stable code. Codes can be added: treat an unknown code as a general failure. */
                        error: ("invalid_uuid" | "invalid_request_body" | "invalid_path") | string;
                        /** @description What to do, in one sentence for people. The text can change. */
                        message: string;
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Error403ApiKeyReadOnlyTotpEnrollmentRequired"];
            404: components["responses"]["Error404NotFound"];
            409: components["responses"]["Error409AlreadyExists"];
            413: components["responses"]["Error413RequestBodyTooLarge"];
            429: components["responses"]["Error429RateLimitedTooManyUnknownKeys"];
            500: components["responses"]["Error500InternalError"];
            503: components["responses"]["Error503ServiceUnavailable"];
        };
    };
    getProject: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Project"];
                };
            };
            /**
             * @description - `invalid_uuid`: An id is not a UUID. Details: field, errors.
             *     - `invalid_path`: The path is not in its canonical form.
             */
            400: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        details?: {
                            /** @description Every problem of the script, or the first 20 wrong fields of the body when there are several. */
                            errors?: {
                                callIndex?: number | null;
                                /**
                                 * @description A code of the language, or one of the platform: `SECRET_HOST_NOT_ALLOWED` (a secret would be sent to a host that is not among its `allowedHosts`), `HOST_HEADER_TWICE`, `HOST_HEADER_DIFFERS`. For a field of the body, the error code.
                                 * @example SECRET_HOST_NOT_ALLOWED
                                 */
                                code: string;
                                /** @description From 1. */
                                column?: number | null;
                                detail?: string | null;
                                field?: string | null;
                                /** @description From 1. */
                                line?: number | null;
                                /** @description What is wrong with the field of the body, in words for people. */
                                reason?: string;
                            }[];
                            /** @description The parameter or body field that the error is about. */
                            field?: string;
                        };
                        /** @description The address of the code in the guide. */
                        doc: string;
                        /** @description A stable code. Codes can be added: treat an unknown code as a general failure. */
                        error: ("invalid_uuid" | "invalid_path") | string;
                        /** @description What to do, in one sentence for people. The text can change. */
                        message: string;
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Error403TotpEnrollmentRequired"];
            404: components["responses"]["Error404NotFound"];
            429: components["responses"]["Error429RateLimitedTooManyUnknownKeys"];
            500: components["responses"]["Error500InternalError"];
            503: components["responses"]["Error503ServiceUnavailable"];
        };
    };
    deleteProject: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Ok"];
                };
            };
            /**
             * @description - `invalid_uuid`: An id is not a UUID. Details: field, errors.
             *     - `invalid_request_body`: The body is not a JSON object, or one of its fields is not accepted. Details: field, reason, errors.
             *     - `invalid_path`: The path is not in its canonical form.
             */
            400: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        details?: {
                            /** @description Every problem of the script, or the first 20 wrong fields of the body when there are several. */
                            errors?: {
                                callIndex?: number | null;
                                /**
                                 * @description A code of the language, or one of the platform: `SECRET_HOST_NOT_ALLOWED` (a secret would be sent to a host that is not among its `allowedHosts`), `HOST_HEADER_TWICE`, `HOST_HEADER_DIFFERS`. For a field of the body, the error code.
                                 * @example SECRET_HOST_NOT_ALLOWED
                                 */
                                code: string;
                                /** @description From 1. */
                                column?: number | null;
                                detail?: string | null;
                                field?: string | null;
                                /** @description From 1. */
                                line?: number | null;
                                /** @description What is wrong with the field of the body, in words for people. */
                                reason?: string;
                            }[];
                            /** @description The parameter or body field that the error is about. */
                            field?: string;
                            /** @description What is wrong with the field, in words for people. */
                            reason?: string;
                        };
                        /** @description The address of the code in the guide. */
                        doc: string;
                        /** @description A stable code. Codes can be added: treat an unknown code as a general failure. */
                        error: ("invalid_uuid" | "invalid_request_body" | "invalid_path") | string;
                        /** @description What to do, in one sentence for people. The text can change. */
                        message: string;
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Error403ApiKeyReadOnlyTotpEnrollmentRequired"];
            404: components["responses"]["Error404NotFound"];
            413: components["responses"]["Error413RequestBodyTooLarge"];
            429: components["responses"]["Error429RateLimitedTooManyUnknownKeys"];
            500: components["responses"]["Error500InternalError"];
            503: components["responses"]["Error503ServiceUnavailable"];
        };
    };
    renameProject: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Trimmed; must not contain control characters or line breaks. */
                    name: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Project"];
                };
            };
            /**
             * @description - `invalid_uuid`: An id is not a UUID. Details: field, errors.
             *     - `invalid_request_body`: The body is not a JSON object, or one of its fields is not accepted. Details: field, reason, errors.
             *     - `invalid_path`: The path is not in its canonical form.
             */
            400: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        details?: {
                            /** @description Every problem of the script, or the first 20 wrong fields of the body when there are several. */
                            errors?: {
                                callIndex?: number | null;
                                /**
                                 * @description A code of the language, or one of the platform: `SECRET_HOST_NOT_ALLOWED` (a secret would be sent to a host that is not among its `allowedHosts`), `HOST_HEADER_TWICE`, `HOST_HEADER_DIFFERS`. For a field of the body, the error code.
                                 * @example SECRET_HOST_NOT_ALLOWED
                                 */
                                code: string;
                                /** @description From 1. */
                                column?: number | null;
                                detail?: string | null;
                                field?: string | null;
                                /** @description From 1. */
                                line?: number | null;
                                /** @description What is wrong with the field of the body, in words for people. */
                                reason?: string;
                            }[];
                            /** @description The parameter or body field that the error is about. */
                            field?: string;
                            /** @description What is wrong with the field, in words for people. */
                            reason?: string;
                        };
                        /** @description The address of the code in the guide. */
                        doc: string;
                        /** @description A stable code. Codes can be added: treat an unknown code as a general failure. */
                        error: ("invalid_uuid" | "invalid_request_body" | "invalid_path") | string;
                        /** @description What to do, in one sentence for people. The text can change. */
                        message: string;
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Error403ApiKeyReadOnlyTotpEnrollmentRequired"];
            404: components["responses"]["Error404NotFound"];
            409: components["responses"]["Error409AlreadyExists"];
            413: components["responses"]["Error413RequestBodyTooLarge"];
            429: components["responses"]["Error429RateLimitedTooManyUnknownKeys"];
            500: components["responses"]["Error500InternalError"];
            503: components["responses"]["Error503ServiceUnavailable"];
        };
    };
    getProjectMetrics: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServiceMetrics"];
                };
            };
            /** @description There is no content. */
            204: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /**
             * @description - `invalid_uuid`: An id is not a UUID. Details: field, errors.
             *     - `invalid_path`: The path is not in its canonical form.
             */
            400: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        details?: {
                            /** @description Every problem of the script, or the first 20 wrong fields of the body when there are several. */
                            errors?: {
                                callIndex?: number | null;
                                /**
                                 * @description A code of the language, or one of the platform: `SECRET_HOST_NOT_ALLOWED` (a secret would be sent to a host that is not among its `allowedHosts`), `HOST_HEADER_TWICE`, `HOST_HEADER_DIFFERS`. For a field of the body, the error code.
                                 * @example SECRET_HOST_NOT_ALLOWED
                                 */
                                code: string;
                                /** @description From 1. */
                                column?: number | null;
                                detail?: string | null;
                                field?: string | null;
                                /** @description From 1. */
                                line?: number | null;
                                /** @description What is wrong with the field of the body, in words for people. */
                                reason?: string;
                            }[];
                            /** @description The parameter or body field that the error is about. */
                            field?: string;
                        };
                        /** @description The address of the code in the guide. */
                        doc: string;
                        /** @description A stable code. Codes can be added: treat an unknown code as a general failure. */
                        error: ("invalid_uuid" | "invalid_path") | string;
                        /** @description What to do, in one sentence for people. The text can change. */
                        message: string;
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Error403TotpEnrollmentRequired"];
            404: components["responses"]["Error404NotFound"];
            429: components["responses"]["Error429RateLimitedTooManyUnknownKeys"];
            500: components["responses"]["Error500InternalError"];
            503: components["responses"]["Error503ServiceUnavailable"];
        };
    };
    getProjectMetricsHistory: {
        parameters: {
            query?: {
                hours?: number;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HourlyBucket"][];
                };
            };
            /**
             * @description - `field_invalid`: A parameter or a checked value is not accepted. Details: field, reason, max.
             *     - `invalid_uuid`: An id is not a UUID. Details: field, errors.
             *     - `invalid_path`: The path is not in its canonical form.
             */
            400: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        details?: {
                            /** @description Every problem of the script, or the first 20 wrong fields of the body when there are several. */
                            errors?: {
                                callIndex?: number | null;
                                /**
                                 * @description A code of the language, or one of the platform: `SECRET_HOST_NOT_ALLOWED` (a secret would be sent to a host that is not among its `allowedHosts`), `HOST_HEADER_TWICE`, `HOST_HEADER_DIFFERS`. For a field of the body, the error code.
                                 * @example SECRET_HOST_NOT_ALLOWED
                                 */
                                code: string;
                                /** @description From 1. */
                                column?: number | null;
                                detail?: string | null;
                                field?: string | null;
                                /** @description From 1. */
                                line?: number | null;
                                /** @description What is wrong with the field of the body, in words for people. */
                                reason?: string;
                            }[];
                            /** @description The parameter or body field that the error is about. */
                            field?: string;
                            /** @description The upper bound. */
                            max?: number;
                            /** @description What is wrong with the field, in words for people. */
                            reason?: string;
                        };
                        /** @description The address of the code in the guide. */
                        doc: string;
                        /** @description A stable code. Codes can be added: treat an unknown code as a general failure. */
                        error: ("field_invalid" | "invalid_uuid" | "invalid_path") | string;
                        /** @description What to do, in one sentence for people. The text can change. */
                        message: string;
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Error403TotpEnrollmentRequired"];
            404: components["responses"]["Error404NotFound"];
            429: components["responses"]["Error429RateLimitedTooManyUnknownKeys"];
            500: components["responses"]["Error500InternalError"];
            503: components["responses"]["Error503ServiceUnavailable"];
        };
    };
    toggleProjectServices: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    isActive: boolean;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ToggleResult"];
                };
            };
            /**
             * @description - `invalid_uuid`: An id is not a UUID. Details: field, errors.
             *     - `invalid_request_body`: The body is not a JSON object, or one of its fields is not accepted. Details: field, reason, errors.
             *     - `invalid_path`: The path is not in its canonical form.
             */
            400: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        details?: {
                            /** @description Every problem of the script, or the first 20 wrong fields of the body when there are several. */
                            errors?: {
                                callIndex?: number | null;
                                /**
                                 * @description A code of the language, or one of the platform: `SECRET_HOST_NOT_ALLOWED` (a secret would be sent to a host that is not among its `allowedHosts`), `HOST_HEADER_TWICE`, `HOST_HEADER_DIFFERS`. For a field of the body, the error code.
                                 * @example SECRET_HOST_NOT_ALLOWED
                                 */
                                code: string;
                                /** @description From 1. */
                                column?: number | null;
                                detail?: string | null;
                                field?: string | null;
                                /** @description From 1. */
                                line?: number | null;
                                /** @description What is wrong with the field of the body, in words for people. */
                                reason?: string;
                            }[];
                            /** @description The parameter or body field that the error is about. */
                            field?: string;
                            /** @description What is wrong with the field, in words for people. */
                            reason?: string;
                        };
                        /** @description The address of the code in the guide. */
                        doc: string;
                        /** @description A stable code. Codes can be added: treat an unknown code as a general failure. */
                        error: ("invalid_uuid" | "invalid_request_body" | "invalid_path") | string;
                        /** @description What to do, in one sentence for people. The text can change. */
                        message: string;
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Error403ApiKeyReadOnlyTotpEnrollmentRequired"];
            404: components["responses"]["Error404NotFound"];
            413: components["responses"]["Error413RequestBodyTooLarge"];
            429: components["responses"]["Error429RateLimitedTooManyUnknownKeys"];
            500: components["responses"]["Error500InternalError"];
            503: components["responses"]["Error503ServiceUnavailable"];
        };
    };
    listProjectVariables: {
        parameters: {
            query?: {
                page?: number;
                pageSize?: number;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VariablePage"];
                };
            };
            /**
             * @description - `field_invalid`: A parameter or a checked value is not accepted. Details: field, reason, max.
             *     - `invalid_uuid`: An id is not a UUID. Details: field, errors.
             *     - `invalid_path`: The path is not in its canonical form.
             */
            400: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        details?: {
                            /** @description Every problem of the script, or the first 20 wrong fields of the body when there are several. */
                            errors?: {
                                callIndex?: number | null;
                                /**
                                 * @description A code of the language, or one of the platform: `SECRET_HOST_NOT_ALLOWED` (a secret would be sent to a host that is not among its `allowedHosts`), `HOST_HEADER_TWICE`, `HOST_HEADER_DIFFERS`. For a field of the body, the error code.
                                 * @example SECRET_HOST_NOT_ALLOWED
                                 */
                                code: string;
                                /** @description From 1. */
                                column?: number | null;
                                detail?: string | null;
                                field?: string | null;
                                /** @description From 1. */
                                line?: number | null;
                                /** @description What is wrong with the field of the body, in words for people. */
                                reason?: string;
                            }[];
                            /** @description The parameter or body field that the error is about. */
                            field?: string;
                            /** @description The upper bound. */
                            max?: number;
                            /** @description What is wrong with the field, in words for people. */
                            reason?: string;
                        };
                        /** @description The address of the code in the guide. */
                        doc: string;
                        /** @description A stable code. Codes can be added: treat an unknown code as a general failure. */
                        error: ("field_invalid" | "invalid_uuid" | "invalid_path") | string;
                        /** @description What to do, in one sentence for people. The text can change. */
                        message: string;
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Error403TotpEnrollmentRequired"];
            404: components["responses"]["Error404NotFound"];
            429: components["responses"]["Error429RateLimitedTooManyUnknownKeys"];
            500: components["responses"]["Error500InternalError"];
            503: components["responses"]["Error503ServiceUnavailable"];
        };
    };
    createProjectVariable: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description The hosts that a secret may be sent to: `api.example.com`, or `*.example.com` for all its subdomains, each optionally with a port. Empty for any host. Must be empty unless the type is secret.
                     * @example [
                     *       "api.example.com",
                     *       "*.example.net:8443"
                     *     ]
                     */
                    allowedHosts?: string[];
                    key: string;
                    /**
                     * @default variable
                     * @enum {string}
                     */
                    type?: "variable" | "secret" | "metric";
                    value: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Variable"];
                };
            };
            /**
             * @description - `field_invalid`: A parameter or a checked value is not accepted. Details: field, reason, max.
             *     - `invalid_uuid`: An id is not a UUID. Details: field, errors.
             *     - `invalid_request_body`: The body is not a JSON object, or one of its fields is not accepted. Details: field, reason, errors.
             *     - `invalid_path`: The path is not in its canonical form.
             *     - `variable_limit_reached`: The scope has reached its limit of variables. Details: max.
             *     - `reserved_key`: The key is the name of a computed variable of the scope. Details: key.
             */
            400: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        details?: {
                            /** @description Every problem of the script, or the first 20 wrong fields of the body when there are several. */
                            errors?: {
                                callIndex?: number | null;
                                /**
                                 * @description A code of the language, or one of the platform: `SECRET_HOST_NOT_ALLOWED` (a secret would be sent to a host that is not among its `allowedHosts`), `HOST_HEADER_TWICE`, `HOST_HEADER_DIFFERS`. For a field of the body, the error code.
                                 * @example SECRET_HOST_NOT_ALLOWED
                                 */
                                code: string;
                                /** @description From 1. */
                                column?: number | null;
                                detail?: string | null;
                                field?: string | null;
                                /** @description From 1. */
                                line?: number | null;
                                /** @description What is wrong with the field of the body, in words for people. */
                                reason?: string;
                            }[];
                            /** @description The parameter or body field that the error is about. */
                            field?: string;
                            /** @description The key of the variable. */
                            key?: string;
                            /** @description The upper bound. */
                            max?: number;
                            /** @description What is wrong with the field, in words for people. */
                            reason?: string;
                        };
                        /** @description The address of the code in the guide. */
                        doc: string;
                        /** @description A stable code. Codes can be added: treat an unknown code as a general failure. */
                        error: ("field_invalid" | "invalid_uuid" | "invalid_request_body" | "invalid_path" | "variable_limit_reached" | "reserved_key") | string;
                        /** @description What to do, in one sentence for people. The text can change. */
                        message: string;
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Error403ApiKeyReadOnlyTotpEnrollmentRequired"];
            404: components["responses"]["Error404NotFound"];
            409: components["responses"]["Error409AlreadyExists"];
            413: components["responses"]["Error413RequestBodyTooLarge"];
            429: components["responses"]["Error429RateLimitedTooManyUnknownKeys"];
            500: components["responses"]["Error500InternalError"];
            503: components["responses"]["Error503ServiceUnavailable"];
        };
    };
    deleteProjectVariable: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                varId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Ok"];
                };
            };
            /**
             * @description - `invalid_uuid`: An id is not a UUID. Details: field, errors.
             *     - `invalid_request_body`: The body is not a JSON object, or one of its fields is not accepted. Details: field, reason, errors.
             *     - `invalid_path`: The path is not in its canonical form.
             *     - `system_variable`: Soundline creates this variable for every service; it cannot be deleted. Details: key.
             */
            400: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        details?: {
                            /** @description Every problem of the script, or the first 20 wrong fields of the body when there are several. */
                            errors?: {
                                callIndex?: number | null;
                                /**
                                 * @description A code of the language, or one of the platform: `SECRET_HOST_NOT_ALLOWED` (a secret would be sent to a host that is not among its `allowedHosts`), `HOST_HEADER_TWICE`, `HOST_HEADER_DIFFERS`. For a field of the body, the error code.
                                 * @example SECRET_HOST_NOT_ALLOWED
                                 */
                                code: string;
                                /** @description From 1. */
                                column?: number | null;
                                detail?: string | null;
                                field?: string | null;
                                /** @description From 1. */
                                line?: number | null;
                                /** @description What is wrong with the field of the body, in words for people. */
                                reason?: string;
                            }[];
                            /** @description The parameter or body field that the error is about. */
                            field?: string;
                            /** @description The key of the variable. */
                            key?: string;
                            /** @description What is wrong with the field, in words for people. */
                            reason?: string;
                        };
                        /** @description The address of the code in the guide. */
                        doc: string;
                        /** @description A stable code. Codes can be added: treat an unknown code as a general failure. */
                        error: ("invalid_uuid" | "invalid_request_body" | "invalid_path" | "system_variable") | string;
                        /** @description What to do, in one sentence for people. The text can change. */
                        message: string;
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Error403ApiKeyReadOnlyTotpEnrollmentRequired"];
            404: components["responses"]["Error404NotFound"];
            413: components["responses"]["Error413RequestBodyTooLarge"];
            429: components["responses"]["Error429RateLimitedTooManyUnknownKeys"];
            500: components["responses"]["Error500InternalError"];
            503: components["responses"]["Error503ServiceUnavailable"];
        };
    };
    updateProjectVariable: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                varId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description The hosts that a secret may be sent to: `api.example.com`, or `*.example.com` for all its subdomains, each optionally with a port. Empty for any host. Must be empty unless the type is secret.
                     * @example [
                     *       "api.example.com",
                     *       "*.example.net:8443"
                     *     ]
                     */
                    allowedHosts?: string[];
                    value: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Variable"];
                };
            };
            /**
             * @description - `field_invalid`: A parameter or a checked value is not accepted. Details: field, reason, max.
             *     - `invalid_uuid`: An id is not a UUID. Details: field, errors.
             *     - `invalid_request_body`: The body is not a JSON object, or one of its fields is not accepted. Details: field, reason, errors.
             *     - `invalid_path`: The path is not in its canonical form.
             *     - `readonly_variable`: Only scripts can write this variable. Details: key.
             */
            400: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        details?: {
                            /** @description Every problem of the script, or the first 20 wrong fields of the body when there are several. */
                            errors?: {
                                callIndex?: number | null;
                                /**
                                 * @description A code of the language, or one of the platform: `SECRET_HOST_NOT_ALLOWED` (a secret would be sent to a host that is not among its `allowedHosts`), `HOST_HEADER_TWICE`, `HOST_HEADER_DIFFERS`. For a field of the body, the error code.
                                 * @example SECRET_HOST_NOT_ALLOWED
                                 */
                                code: string;
                                /** @description From 1. */
                                column?: number | null;
                                detail?: string | null;
                                field?: string | null;
                                /** @description From 1. */
                                line?: number | null;
                                /** @description What is wrong with the field of the body, in words for people. */
                                reason?: string;
                            }[];
                            /** @description The parameter or body field that the error is about. */
                            field?: string;
                            /** @description The key of the variable. */
                            key?: string;
                            /** @description The upper bound. */
                            max?: number;
                            /** @description What is wrong with the field, in words for people. */
                            reason?: string;
                        };
                        /** @description The address of the code in the guide. */
                        doc: string;
                        /** @description A stable code. Codes can be added: treat an unknown code as a general failure. */
                        error: ("field_invalid" | "invalid_uuid" | "invalid_request_body" | "invalid_path" | "readonly_variable") | string;
                        /** @description What to do, in one sentence for people. The text can change. */
                        message: string;
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Error403ApiKeyReadOnlyTotpEnrollmentRequired"];
            404: components["responses"]["Error404NotFound"];
            413: components["responses"]["Error413RequestBodyTooLarge"];
            429: components["responses"]["Error429RateLimitedTooManyUnknownKeys"];
            500: components["responses"]["Error500InternalError"];
            503: components["responses"]["Error503ServiceUnavailable"];
        };
    };
    getProjectVariableHierarchy: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VariableHierarchy"];
                };
            };
            /**
             * @description - `invalid_uuid`: An id is not a UUID. Details: field, errors.
             *     - `invalid_path`: The path is not in its canonical form.
             */
            400: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        details?: {
                            /** @description Every problem of the script, or the first 20 wrong fields of the body when there are several. */
                            errors?: {
                                callIndex?: number | null;
                                /**
                                 * @description A code of the language, or one of the platform: `SECRET_HOST_NOT_ALLOWED` (a secret would be sent to a host that is not among its `allowedHosts`), `HOST_HEADER_TWICE`, `HOST_HEADER_DIFFERS`. For a field of the body, the error code.
                                 * @example SECRET_HOST_NOT_ALLOWED
                                 */
                                code: string;
                                /** @description From 1. */
                                column?: number | null;
                                detail?: string | null;
                                field?: string | null;
                                /** @description From 1. */
                                line?: number | null;
                                /** @description What is wrong with the field of the body, in words for people. */
                                reason?: string;
                            }[];
                            /** @description The parameter or body field that the error is about. */
                            field?: string;
                        };
                        /** @description The address of the code in the guide. */
                        doc: string;
                        /** @description A stable code. Codes can be added: treat an unknown code as a general failure. */
                        error: ("invalid_uuid" | "invalid_path") | string;
                        /** @description What to do, in one sentence for people. The text can change. */
                        message: string;
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Error403TotpEnrollmentRequired"];
            404: components["responses"]["Error404NotFound"];
            429: components["responses"]["Error429RateLimitedTooManyUnknownKeys"];
            500: components["responses"]["Error500InternalError"];
            503: components["responses"]["Error503ServiceUnavailable"];
        };
    };
    listServices: {
        parameters: {
            query: {
                page?: number;
                pageSize?: number;
                projectId: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServicePage"];
                };
            };
            /**
             * @description - `field_invalid`: A parameter or a checked value is not accepted. Details: field, reason, max.
             *     - `field_required`: A required parameter or checked value is missing. Details: field, errors.
             *     - `invalid_uuid`: An id is not a UUID. Details: field, errors.
             *     - `invalid_path`: The path is not in its canonical form.
             */
            400: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        details?: {
                            /** @description Every problem of the script, or the first 20 wrong fields of the body when there are several. */
                            errors?: {
                                callIndex?: number | null;
                                /**
                                 * @description A code of the language, or one of the platform: `SECRET_HOST_NOT_ALLOWED` (a secret would be sent to a host that is not among its `allowedHosts`), `HOST_HEADER_TWICE`, `HOST_HEADER_DIFFERS`. For a field of the body, the error code.
                                 * @example SECRET_HOST_NOT_ALLOWED
                                 */
                                code: string;
                                /** @description From 1. */
                                column?: number | null;
                                detail?: string | null;
                                field?: string | null;
                                /** @description From 1. */
                                line?: number | null;
                                /** @description What is wrong with the field of the body, in words for people. */
                                reason?: string;
                            }[];
                            /** @description The parameter or body field that the error is about. */
                            field?: string;
                            /** @description The upper bound. */
                            max?: number;
                            /** @description What is wrong with the field, in words for people. */
                            reason?: string;
                        };
                        /** @description The address of the code in the guide. */
                        doc: string;
                        /** @description A stable code. Codes can be added: treat an unknown code as a general failure. */
                        error: ("field_invalid" | "field_required" | "invalid_uuid" | "invalid_path") | string;
                        /** @description What to do, in one sentence for people. The text can change. */
                        message: string;
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Error403TotpEnrollmentRequired"];
            404: components["responses"]["Error404NotFound"];
            429: components["responses"]["Error429RateLimitedTooManyUnknownKeys"];
            500: components["responses"]["Error500InternalError"];
            503: components["responses"]["Error503ServiceUnavailable"];
        };
    };
    createService: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description False saves the script without switching the service on. */
                    isActive?: boolean;
                    label?: string | null;
                    /** @description Trimmed; must not contain control characters or line breaks. */
                    name: string;
                    /** Format: uuid */
                    projectId: string;
                    /** @default true */
                    saveResponseBodies?: boolean;
                    /**
                     * @description A cron expression of five fields, in UTC.
                     * @default *\/5 * * * *
                     */
                    schedule?: string;
                    /** @description A probe script in the Lace language. */
                    script?: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Service"];
                };
            };
            /**
             * @description - `field_invalid`: A parameter or a checked value is not accepted. Details: field, reason, max.
             *     - `field_required`: A required parameter or checked value is missing. Details: field, errors.
             *     - `invalid_uuid`: An id is not a UUID. Details: field, errors.
             *     - `invalid_request_body`: The body is not a JSON object, or one of its fields is not accepted. Details: field, reason, errors.
             *     - `invalid_path`: The path is not in its canonical form.
             *     - `blocked_probe_target`: The script targets a URL that probes must not request: one with a private, loopback or reserved address, an address of the server itself, an internal name, a scheme other than http and https, a port of another protocol (the bad ports of the Fetch standard), or a user name or password. `details.reason` says which. Details: field, reason, callIndex.
             *     - `unverified_domain_call_limit`: The script makes more than three calls while it targets an unverified domain. Details: field, reason, max, hosts.
             *     - `unverified_domain_includes`: The script uses an includes check while it targets an unverified domain. Details: field, reason, hosts.
             *     - `unverified_domain_interval`: The schedule runs more often than every five minutes while the script targets an unverified domain. Details: field, reason, hosts.
             */
            400: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        details?: {
                            /** @description The index of the call that the error is about, from 0. */
                            callIndex?: number;
                            /** @description Every problem of the script, or the first 20 wrong fields of the body when there are several. */
                            errors?: {
                                callIndex?: number | null;
                                /**
                                 * @description A code of the language, or one of the platform: `SECRET_HOST_NOT_ALLOWED` (a secret would be sent to a host that is not among its `allowedHosts`), `HOST_HEADER_TWICE`, `HOST_HEADER_DIFFERS`. For a field of the body, the error code.
                                 * @example SECRET_HOST_NOT_ALLOWED
                                 */
                                code: string;
                                /** @description From 1. */
                                column?: number | null;
                                detail?: string | null;
                                field?: string | null;
                                /** @description From 1. */
                                line?: number | null;
                                /** @description What is wrong with the field of the body, in words for people. */
                                reason?: string;
                            }[];
                            /** @description The parameter or body field that the error is about. */
                            field?: string;
                            /** @description The unverified hosts that the script targets. */
                            hosts?: string[];
                            /** @description The upper bound. */
                            max?: number;
                            /** @description What is wrong with the field, in words for people. */
                            reason?: string;
                        };
                        /** @description The address of the code in the guide. */
                        doc: string;
                        /** @description A stable code. Codes can be added: treat an unknown code as a general failure. */
                        error: ("field_invalid" | "field_required" | "invalid_uuid" | "invalid_request_body" | "invalid_path" | "blocked_probe_target" | "unverified_domain_call_limit" | "unverified_domain_includes" | "unverified_domain_interval") | string;
                        /** @description What to do, in one sentence for people. The text can change. */
                        message: string;
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Error403ApiKeyReadOnlyTotpEnrollmentRequired"];
            404: components["responses"]["Error404NotFound"];
            409: components["responses"]["Error409AlreadyExists"];
            413: components["responses"]["Error413RequestBodyTooLarge"];
            429: components["responses"]["Error429RateLimitedTooManyUnknownKeys"];
            500: components["responses"]["Error500InternalError"];
            503: components["responses"]["Error503ServiceUnavailable"];
        };
    };
    getService: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Service"];
                };
            };
            /**
             * @description - `invalid_uuid`: An id is not a UUID. Details: field, errors.
             *     - `invalid_path`: The path is not in its canonical form.
             */
            400: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        details?: {
                            /** @description Every problem of the script, or the first 20 wrong fields of the body when there are several. */
                            errors?: {
                                callIndex?: number | null;
                                /**
                                 * @description A code of the language, or one of the platform: `SECRET_HOST_NOT_ALLOWED` (a secret would be sent to a host that is not among its `allowedHosts`), `HOST_HEADER_TWICE`, `HOST_HEADER_DIFFERS`. For a field of the body, the error code.
                                 * @example SECRET_HOST_NOT_ALLOWED
                                 */
                                code: string;
                                /** @description From 1. */
                                column?: number | null;
                                detail?: string | null;
                                field?: string | null;
                                /** @description From 1. */
                                line?: number | null;
                                /** @description What is wrong with the field of the body, in words for people. */
                                reason?: string;
                            }[];
                            /** @description The parameter or body field that the error is about. */
                            field?: string;
                        };
                        /** @description The address of the code in the guide. */
                        doc: string;
                        /** @description A stable code. Codes can be added: treat an unknown code as a general failure. */
                        error: ("invalid_uuid" | "invalid_path") | string;
                        /** @description What to do, in one sentence for people. The text can change. */
                        message: string;
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Error403TotpEnrollmentRequired"];
            404: components["responses"]["Error404NotFound"];
            429: components["responses"]["Error429RateLimitedTooManyUnknownKeys"];
            500: components["responses"]["Error500InternalError"];
            503: components["responses"]["Error503ServiceUnavailable"];
        };
    };
    deleteService: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Ok"];
                };
            };
            /**
             * @description - `invalid_uuid`: An id is not a UUID. Details: field, errors.
             *     - `invalid_request_body`: The body is not a JSON object, or one of its fields is not accepted. Details: field, reason, errors.
             *     - `invalid_path`: The path is not in its canonical form.
             */
            400: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        details?: {
                            /** @description Every problem of the script, or the first 20 wrong fields of the body when there are several. */
                            errors?: {
                                callIndex?: number | null;
                                /**
                                 * @description A code of the language, or one of the platform: `SECRET_HOST_NOT_ALLOWED` (a secret would be sent to a host that is not among its `allowedHosts`), `HOST_HEADER_TWICE`, `HOST_HEADER_DIFFERS`. For a field of the body, the error code.
                                 * @example SECRET_HOST_NOT_ALLOWED
                                 */
                                code: string;
                                /** @description From 1. */
                                column?: number | null;
                                detail?: string | null;
                                field?: string | null;
                                /** @description From 1. */
                                line?: number | null;
                                /** @description What is wrong with the field of the body, in words for people. */
                                reason?: string;
                            }[];
                            /** @description The parameter or body field that the error is about. */
                            field?: string;
                            /** @description What is wrong with the field, in words for people. */
                            reason?: string;
                        };
                        /** @description The address of the code in the guide. */
                        doc: string;
                        /** @description A stable code. Codes can be added: treat an unknown code as a general failure. */
                        error: ("invalid_uuid" | "invalid_request_body" | "invalid_path") | string;
                        /** @description What to do, in one sentence for people. The text can change. */
                        message: string;
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Error403ApiKeyReadOnlyTotpEnrollmentRequired"];
            404: components["responses"]["Error404NotFound"];
            413: components["responses"]["Error413RequestBodyTooLarge"];
            429: components["responses"]["Error429RateLimitedTooManyUnknownKeys"];
            500: components["responses"]["Error500InternalError"];
            503: components["responses"]["Error503ServiceUnavailable"];
        };
    };
    updateService: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    label?: string | null;
                    /** @description Trimmed; must not contain control characters or line breaks. */
                    name?: string;
                    /** @enum {string} */
                    probeMode?: "consecutive" | "simultaneous" | "random";
                    /** @enum {string} */
                    queuePolicy?: "skip" | "enqueue_once";
                    saveResponseBodies?: boolean;
                    /** @description A cron expression of five fields, in UTC. */
                    schedule?: string;
                    /** @description A probe script in the Lace language. */
                    script?: string;
                    serviceWindow?: string | null;
                    /** @description Required with a script: the version that it replaces. */
                    version?: number;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Service"];
                };
            };
            /**
             * @description - `field_invalid`: A parameter or a checked value is not accepted. Details: field, reason, max.
             *     - `field_required`: A required parameter or checked value is missing. Details: field, errors.
             *     - `invalid_uuid`: An id is not a UUID. Details: field, errors.
             *     - `invalid_request_body`: The body is not a JSON object, or one of its fields is not accepted. Details: field, reason, errors.
             *     - `invalid_path`: The path is not in its canonical form.
             *     - `blocked_probe_target`: The script targets a URL that probes must not request: one with a private, loopback or reserved address, an address of the server itself, an internal name, a scheme other than http and https, a port of another protocol (the bad ports of the Fetch standard), or a user name or password. `details.reason` says which. Details: field, reason, callIndex.
             *     - `unverified_domain_call_limit`: The script makes more than three calls while it targets an unverified domain. Details: field, reason, max, hosts.
             *     - `unverified_domain_includes`: The script uses an includes check while it targets an unverified domain. Details: field, reason, hosts.
             *     - `unverified_domain_interval`: The schedule runs more often than every five minutes while the script targets an unverified domain. Details: field, reason, hosts.
             */
            400: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        details?: {
                            /** @description The index of the call that the error is about, from 0. */
                            callIndex?: number;
                            /** @description Every problem of the script, or the first 20 wrong fields of the body when there are several. */
                            errors?: {
                                callIndex?: number | null;
                                /**
                                 * @description A code of the language, or one of the platform: `SECRET_HOST_NOT_ALLOWED` (a secret would be sent to a host that is not among its `allowedHosts`), `HOST_HEADER_TWICE`, `HOST_HEADER_DIFFERS`. For a field of the body, the error code.
                                 * @example SECRET_HOST_NOT_ALLOWED
                                 */
                                code: string;
                                /** @description From 1. */
                                column?: number | null;
                                detail?: string | null;
                                field?: string | null;
                                /** @description From 1. */
                                line?: number | null;
                                /** @description What is wrong with the field of the body, in words for people. */
                                reason?: string;
                            }[];
                            /** @description The parameter or body field that the error is about. */
                            field?: string;
                            /** @description The unverified hosts that the script targets. */
                            hosts?: string[];
                            /** @description The upper bound. */
                            max?: number;
                            /** @description What is wrong with the field, in words for people. */
                            reason?: string;
                        };
                        /** @description The address of the code in the guide. */
                        doc: string;
                        /** @description A stable code. Codes can be added: treat an unknown code as a general failure. */
                        error: ("field_invalid" | "field_required" | "invalid_uuid" | "invalid_request_body" | "invalid_path" | "blocked_probe_target" | "unverified_domain_call_limit" | "unverified_domain_includes" | "unverified_domain_interval") | string;
                        /** @description What to do, in one sentence for people. The text can change. */
                        message: string;
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Error403ApiKeyReadOnlyTotpEnrollmentRequired"];
            404: components["responses"]["Error404NotFound"];
            409: components["responses"]["Error409AlreadyExistsVersionConflict"];
            413: components["responses"]["Error413RequestBodyTooLarge"];
            429: components["responses"]["Error429RateLimitedTooManyUnknownKeys"];
            500: components["responses"]["Error500InternalError"];
            503: components["responses"]["Error503ServiceUnavailable"];
        };
    };
    getServiceAgents: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentSlugs"];
                };
            };
            /**
             * @description - `field_invalid`: A parameter or a checked value is not accepted. Details: field, reason, max.
             *     - `invalid_uuid`: An id is not a UUID. Details: field, errors.
             *     - `invalid_path`: The path is not in its canonical form.
             */
            400: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        details?: {
                            /** @description Every problem of the script, or the first 20 wrong fields of the body when there are several. */
                            errors?: {
                                callIndex?: number | null;
                                /**
                                 * @description A code of the language, or one of the platform: `SECRET_HOST_NOT_ALLOWED` (a secret would be sent to a host that is not among its `allowedHosts`), `HOST_HEADER_TWICE`, `HOST_HEADER_DIFFERS`. For a field of the body, the error code.
                                 * @example SECRET_HOST_NOT_ALLOWED
                                 */
                                code: string;
                                /** @description From 1. */
                                column?: number | null;
                                detail?: string | null;
                                field?: string | null;
                                /** @description From 1. */
                                line?: number | null;
                                /** @description What is wrong with the field of the body, in words for people. */
                                reason?: string;
                            }[];
                            /** @description The parameter or body field that the error is about. */
                            field?: string;
                            /** @description The upper bound. */
                            max?: number;
                            /** @description What is wrong with the field, in words for people. */
                            reason?: string;
                        };
                        /** @description The address of the code in the guide. */
                        doc: string;
                        /** @description A stable code. Codes can be added: treat an unknown code as a general failure. */
                        error: ("field_invalid" | "invalid_uuid" | "invalid_path") | string;
                        /** @description What to do, in one sentence for people. The text can change. */
                        message: string;
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Error403TotpEnrollmentRequired"];
            404: components["responses"]["Error404NotFound"];
            429: components["responses"]["Error429RateLimitedTooManyUnknownKeys"];
            500: components["responses"]["Error500InternalError"];
            503: components["responses"]["Error503ServiceUnavailable"];
        };
    };
    setServiceAgents: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description An empty array means any agent. */
                    slugs: string[];
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentSlugs"];
                };
            };
            /**
             * @description - `field_invalid`: A parameter or a checked value is not accepted. Details: field, reason, max.
             *     - `invalid_uuid`: An id is not a UUID. Details: field, errors.
             *     - `invalid_request_body`: The body is not a JSON object, or one of its fields is not accepted. Details: field, reason, errors.
             *     - `invalid_path`: The path is not in its canonical form.
             */
            400: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        details?: {
                            /** @description Every problem of the script, or the first 20 wrong fields of the body when there are several. */
                            errors?: {
                                callIndex?: number | null;
                                /**
                                 * @description A code of the language, or one of the platform: `SECRET_HOST_NOT_ALLOWED` (a secret would be sent to a host that is not among its `allowedHosts`), `HOST_HEADER_TWICE`, `HOST_HEADER_DIFFERS`. For a field of the body, the error code.
                                 * @example SECRET_HOST_NOT_ALLOWED
                                 */
                                code: string;
                                /** @description From 1. */
                                column?: number | null;
                                detail?: string | null;
                                field?: string | null;
                                /** @description From 1. */
                                line?: number | null;
                                /** @description What is wrong with the field of the body, in words for people. */
                                reason?: string;
                            }[];
                            /** @description The parameter or body field that the error is about. */
                            field?: string;
                            /** @description The upper bound. */
                            max?: number;
                            /** @description What is wrong with the field, in words for people. */
                            reason?: string;
                            /** @description Slugs that are unknown, inactive or not visible to the caller. */
                            unknown?: string[];
                        };
                        /** @description The address of the code in the guide. */
                        doc: string;
                        /** @description A stable code. Codes can be added: treat an unknown code as a general failure. */
                        error: ("field_invalid" | "invalid_uuid" | "invalid_request_body" | "invalid_path") | string;
                        /** @description What to do, in one sentence for people. The text can change. */
                        message: string;
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Error403ApiKeyReadOnlyTotpEnrollmentRequired"];
            404: components["responses"]["Error404NotFound"];
            413: components["responses"]["Error413RequestBodyTooLarge"];
            429: components["responses"]["Error429RateLimitedTooManyUnknownKeys"];
            500: components["responses"]["Error500InternalError"];
            503: components["responses"]["Error503ServiceUnavailable"];
        };
    };
    getServiceAlerting: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServiceAlerting"];
                };
            };
            /**
             * @description - `invalid_uuid`: An id is not a UUID. Details: field, errors.
             *     - `invalid_path`: The path is not in its canonical form.
             */
            400: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        details?: {
                            /** @description Every problem of the script, or the first 20 wrong fields of the body when there are several. */
                            errors?: {
                                callIndex?: number | null;
                                /**
                                 * @description A code of the language, or one of the platform: `SECRET_HOST_NOT_ALLOWED` (a secret would be sent to a host that is not among its `allowedHosts`), `HOST_HEADER_TWICE`, `HOST_HEADER_DIFFERS`. For a field of the body, the error code.
                                 * @example SECRET_HOST_NOT_ALLOWED
                                 */
                                code: string;
                                /** @description From 1. */
                                column?: number | null;
                                detail?: string | null;
                                field?: string | null;
                                /** @description From 1. */
                                line?: number | null;
                                /** @description What is wrong with the field of the body, in words for people. */
                                reason?: string;
                            }[];
                            /** @description The parameter or body field that the error is about. */
                            field?: string;
                        };
                        /** @description The address of the code in the guide. */
                        doc: string;
                        /** @description A stable code. Codes can be added: treat an unknown code as a general failure. */
                        error: ("invalid_uuid" | "invalid_path") | string;
                        /** @description What to do, in one sentence for people. The text can change. */
                        message: string;
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Error403TotpEnrollmentRequired"];
            404: components["responses"]["Error404NotFound"];
            429: components["responses"]["Error429RateLimitedTooManyUnknownKeys"];
            500: components["responses"]["Error500InternalError"];
            503: components["responses"]["Error503ServiceUnavailable"];
        };
    };
    getServiceMetrics: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServiceMetrics"];
                };
            };
            /** @description There is no content. */
            204: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /**
             * @description - `invalid_uuid`: An id is not a UUID. Details: field, errors.
             *     - `invalid_path`: The path is not in its canonical form.
             */
            400: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        details?: {
                            /** @description Every problem of the script, or the first 20 wrong fields of the body when there are several. */
                            errors?: {
                                callIndex?: number | null;
                                /**
                                 * @description A code of the language, or one of the platform: `SECRET_HOST_NOT_ALLOWED` (a secret would be sent to a host that is not among its `allowedHosts`), `HOST_HEADER_TWICE`, `HOST_HEADER_DIFFERS`. For a field of the body, the error code.
                                 * @example SECRET_HOST_NOT_ALLOWED
                                 */
                                code: string;
                                /** @description From 1. */
                                column?: number | null;
                                detail?: string | null;
                                field?: string | null;
                                /** @description From 1. */
                                line?: number | null;
                                /** @description What is wrong with the field of the body, in words for people. */
                                reason?: string;
                            }[];
                            /** @description The parameter or body field that the error is about. */
                            field?: string;
                        };
                        /** @description The address of the code in the guide. */
                        doc: string;
                        /** @description A stable code. Codes can be added: treat an unknown code as a general failure. */
                        error: ("invalid_uuid" | "invalid_path") | string;
                        /** @description What to do, in one sentence for people. The text can change. */
                        message: string;
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Error403TotpEnrollmentRequired"];
            404: components["responses"]["Error404NotFound"];
            429: components["responses"]["Error429RateLimitedTooManyUnknownKeys"];
            500: components["responses"]["Error500InternalError"];
            503: components["responses"]["Error503ServiceUnavailable"];
        };
    };
    getServiceMetricsHistory: {
        parameters: {
            query?: {
                hours?: number;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HourlyBucket"][];
                };
            };
            /**
             * @description - `field_invalid`: A parameter or a checked value is not accepted. Details: field, reason, max.
             *     - `invalid_uuid`: An id is not a UUID. Details: field, errors.
             *     - `invalid_path`: The path is not in its canonical form.
             */
            400: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        details?: {
                            /** @description Every problem of the script, or the first 20 wrong fields of the body when there are several. */
                            errors?: {
                                callIndex?: number | null;
                                /**
                                 * @description A code of the language, or one of the platform: `SECRET_HOST_NOT_ALLOWED` (a secret would be sent to a host that is not among its `allowedHosts`), `HOST_HEADER_TWICE`, `HOST_HEADER_DIFFERS`. For a field of the body, the error code.
                                 * @example SECRET_HOST_NOT_ALLOWED
                                 */
                                code: string;
                                /** @description From 1. */
                                column?: number | null;
                                detail?: string | null;
                                field?: string | null;
                                /** @description From 1. */
                                line?: number | null;
                                /** @description What is wrong with the field of the body, in words for people. */
                                reason?: string;
                            }[];
                            /** @description The parameter or body field that the error is about. */
                            field?: string;
                            /** @description The upper bound. */
                            max?: number;
                            /** @description What is wrong with the field, in words for people. */
                            reason?: string;
                        };
                        /** @description The address of the code in the guide. */
                        doc: string;
                        /** @description A stable code. Codes can be added: treat an unknown code as a general failure. */
                        error: ("field_invalid" | "invalid_uuid" | "invalid_path") | string;
                        /** @description What to do, in one sentence for people. The text can change. */
                        message: string;
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Error403TotpEnrollmentRequired"];
            404: components["responses"]["Error404NotFound"];
            429: components["responses"]["Error429RateLimitedTooManyUnknownKeys"];
            500: components["responses"]["Error500InternalError"];
            503: components["responses"]["Error503ServiceUnavailable"];
        };
    };
    getServiceStatistics: {
        parameters: {
            query?: {
                window?: "24h" | "7d" | "30d" | "90d";
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Statistics"];
                };
            };
            /**
             * @description - `field_invalid`: A parameter or a checked value is not accepted. Details: field, reason, max.
             *     - `invalid_uuid`: An id is not a UUID. Details: field, errors.
             *     - `invalid_path`: The path is not in its canonical form.
             */
            400: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        details?: {
                            /** @description Every problem of the script, or the first 20 wrong fields of the body when there are several. */
                            errors?: {
                                callIndex?: number | null;
                                /**
                                 * @description A code of the language, or one of the platform: `SECRET_HOST_NOT_ALLOWED` (a secret would be sent to a host that is not among its `allowedHosts`), `HOST_HEADER_TWICE`, `HOST_HEADER_DIFFERS`. For a field of the body, the error code.
                                 * @example SECRET_HOST_NOT_ALLOWED
                                 */
                                code: string;
                                /** @description From 1. */
                                column?: number | null;
                                detail?: string | null;
                                field?: string | null;
                                /** @description From 1. */
                                line?: number | null;
                                /** @description What is wrong with the field of the body, in words for people. */
                                reason?: string;
                            }[];
                            /** @description The parameter or body field that the error is about. */
                            field?: string;
                            /** @description The upper bound. */
                            max?: number;
                            /** @description What is wrong with the field, in words for people. */
                            reason?: string;
                        };
                        /** @description The address of the code in the guide. */
                        doc: string;
                        /** @description A stable code. Codes can be added: treat an unknown code as a general failure. */
                        error: ("field_invalid" | "invalid_uuid" | "invalid_path") | string;
                        /** @description What to do, in one sentence for people. The text can change. */
                        message: string;
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Error403TotpEnrollmentRequired"];
            404: components["responses"]["Error404NotFound"];
            429: components["responses"]["Error429RateLimitedTooManyUnknownKeys"];
            500: components["responses"]["Error500InternalError"];
            503: components["responses"]["Error503ServiceUnavailable"];
        };
    };
    getServiceAssertionFailures: {
        parameters: {
            query?: {
                window?: "24h" | "7d" | "30d" | "90d";
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AssertionFailures"];
                };
            };
            /**
             * @description - `field_invalid`: A parameter or a checked value is not accepted. Details: field, reason, max.
             *     - `invalid_uuid`: An id is not a UUID. Details: field, errors.
             *     - `invalid_path`: The path is not in its canonical form.
             */
            400: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        details?: {
                            /** @description Every problem of the script, or the first 20 wrong fields of the body when there are several. */
                            errors?: {
                                callIndex?: number | null;
                                /**
                                 * @description A code of the language, or one of the platform: `SECRET_HOST_NOT_ALLOWED` (a secret would be sent to a host that is not among its `allowedHosts`), `HOST_HEADER_TWICE`, `HOST_HEADER_DIFFERS`. For a field of the body, the error code.
                                 * @example SECRET_HOST_NOT_ALLOWED
                                 */
                                code: string;
                                /** @description From 1. */
                                column?: number | null;
                                detail?: string | null;
                                field?: string | null;
                                /** @description From 1. */
                                line?: number | null;
                                /** @description What is wrong with the field of the body, in words for people. */
                                reason?: string;
                            }[];
                            /** @description The parameter or body field that the error is about. */
                            field?: string;
                            /** @description The upper bound. */
                            max?: number;
                            /** @description What is wrong with the field, in words for people. */
                            reason?: string;
                        };
                        /** @description The address of the code in the guide. */
                        doc: string;
                        /** @description A stable code. Codes can be added: treat an unknown code as a general failure. */
                        error: ("field_invalid" | "invalid_uuid" | "invalid_path") | string;
                        /** @description What to do, in one sentence for people. The text can change. */
                        message: string;
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Error403TotpEnrollmentRequired"];
            404: components["responses"]["Error404NotFound"];
            429: components["responses"]["Error429RateLimitedTooManyUnknownKeys"];
            500: components["responses"]["Error500InternalError"];
            503: components["responses"]["Error503ServiceUnavailable"];
        };
    };
    getServiceEndpointSeries: {
        parameters: {
            query?: {
                window?: "24h" | "7d" | "30d" | "90d";
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EndpointSeries"];
                };
            };
            /**
             * @description - `field_invalid`: A parameter or a checked value is not accepted. Details: field, reason, max.
             *     - `invalid_uuid`: An id is not a UUID. Details: field, errors.
             *     - `invalid_path`: The path is not in its canonical form.
             */
            400: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        details?: {
                            /** @description Every problem of the script, or the first 20 wrong fields of the body when there are several. */
                            errors?: {
                                callIndex?: number | null;
                                /**
                                 * @description A code of the language, or one of the platform: `SECRET_HOST_NOT_ALLOWED` (a secret would be sent to a host that is not among its `allowedHosts`), `HOST_HEADER_TWICE`, `HOST_HEADER_DIFFERS`. For a field of the body, the error code.
                                 * @example SECRET_HOST_NOT_ALLOWED
                                 */
                                code: string;
                                /** @description From 1. */
                                column?: number | null;
                                detail?: string | null;
                                field?: string | null;
                                /** @description From 1. */
                                line?: number | null;
                                /** @description What is wrong with the field of the body, in words for people. */
                                reason?: string;
                            }[];
                            /** @description The parameter or body field that the error is about. */
                            field?: string;
                            /** @description The upper bound. */
                            max?: number;
                            /** @description What is wrong with the field, in words for people. */
                            reason?: string;
                        };
                        /** @description The address of the code in the guide. */
                        doc: string;
                        /** @description A stable code. Codes can be added: treat an unknown code as a general failure. */
                        error: ("field_invalid" | "invalid_uuid" | "invalid_path") | string;
                        /** @description What to do, in one sentence for people. The text can change. */
                        message: string;
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Error403TotpEnrollmentRequired"];
            404: components["responses"]["Error404NotFound"];
            429: components["responses"]["Error429RateLimitedTooManyUnknownKeys"];
            500: components["responses"]["Error500InternalError"];
            503: components["responses"]["Error503ServiceUnavailable"];
        };
    };
    getServiceFailureHeatmap: {
        parameters: {
            query?: {
                days?: number;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureHeatmap"];
                };
            };
            /**
             * @description - `field_invalid`: A parameter or a checked value is not accepted. Details: field, reason, max.
             *     - `invalid_uuid`: An id is not a UUID. Details: field, errors.
             *     - `invalid_path`: The path is not in its canonical form.
             */
            400: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        details?: {
                            /** @description Every problem of the script, or the first 20 wrong fields of the body when there are several. */
                            errors?: {
                                callIndex?: number | null;
                                /**
                                 * @description A code of the language, or one of the platform: `SECRET_HOST_NOT_ALLOWED` (a secret would be sent to a host that is not among its `allowedHosts`), `HOST_HEADER_TWICE`, `HOST_HEADER_DIFFERS`. For a field of the body, the error code.
                                 * @example SECRET_HOST_NOT_ALLOWED
                                 */
                                code: string;
                                /** @description From 1. */
                                column?: number | null;
                                detail?: string | null;
                                field?: string | null;
                                /** @description From 1. */
                                line?: number | null;
                                /** @description What is wrong with the field of the body, in words for people. */
                                reason?: string;
                            }[];
                            /** @description The parameter or body field that the error is about. */
                            field?: string;
                            /** @description The upper bound. */
                            max?: number;
                            /** @description What is wrong with the field, in words for people. */
                            reason?: string;
                        };
                        /** @description The address of the code in the guide. */
                        doc: string;
                        /** @description A stable code. Codes can be added: treat an unknown code as a general failure. */
                        error: ("field_invalid" | "invalid_uuid" | "invalid_path") | string;
                        /** @description What to do, in one sentence for people. The text can change. */
                        message: string;
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Error403TotpEnrollmentRequired"];
            404: components["responses"]["Error404NotFound"];
            429: components["responses"]["Error429RateLimitedTooManyUnknownKeys"];
            500: components["responses"]["Error500InternalError"];
            503: components["responses"]["Error503ServiceUnavailable"];
        };
    };
    listResults: {
        parameters: {
            query?: {
                agent?: string;
                page?: number;
                pageSize?: number;
                since?: string;
                status?: "success" | "failure" | "timeout" | "skipped" | "failed";
                until?: string;
                version?: number;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ResultPage"];
                };
            };
            /**
             * @description - `field_invalid`: A parameter or a checked value is not accepted. Details: field, reason, max.
             *     - `invalid_uuid`: An id is not a UUID. Details: field, errors.
             *     - `invalid_path`: The path is not in its canonical form.
             */
            400: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        details?: {
                            /** @description Every problem of the script, or the first 20 wrong fields of the body when there are several. */
                            errors?: {
                                callIndex?: number | null;
                                /**
                                 * @description A code of the language, or one of the platform: `SECRET_HOST_NOT_ALLOWED` (a secret would be sent to a host that is not among its `allowedHosts`), `HOST_HEADER_TWICE`, `HOST_HEADER_DIFFERS`. For a field of the body, the error code.
                                 * @example SECRET_HOST_NOT_ALLOWED
                                 */
                                code: string;
                                /** @description From 1. */
                                column?: number | null;
                                detail?: string | null;
                                field?: string | null;
                                /** @description From 1. */
                                line?: number | null;
                                /** @description What is wrong with the field of the body, in words for people. */
                                reason?: string;
                            }[];
                            /** @description The parameter or body field that the error is about. */
                            field?: string;
                            /** @description The upper bound. */
                            max?: number;
                            /** @description What is wrong with the field, in words for people. */
                            reason?: string;
                        };
                        /** @description The address of the code in the guide. */
                        doc: string;
                        /** @description A stable code. Codes can be added: treat an unknown code as a general failure. */
                        error: ("field_invalid" | "invalid_uuid" | "invalid_path") | string;
                        /** @description What to do, in one sentence for people. The text can change. */
                        message: string;
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Error403TotpEnrollmentRequired"];
            404: components["responses"]["Error404NotFound"];
            429: components["responses"]["Error429RateLimitedTooManyUnknownKeys"];
            500: components["responses"]["Error500InternalError"];
            503: components["responses"]["Error503ServiceUnavailable"];
        };
    };
    getResult: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                resultId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Result"];
                };
            };
            /**
             * @description - `invalid_uuid`: An id is not a UUID. Details: field, errors.
             *     - `invalid_path`: The path is not in its canonical form.
             */
            400: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        details?: {
                            /** @description Every problem of the script, or the first 20 wrong fields of the body when there are several. */
                            errors?: {
                                callIndex?: number | null;
                                /**
                                 * @description A code of the language, or one of the platform: `SECRET_HOST_NOT_ALLOWED` (a secret would be sent to a host that is not among its `allowedHosts`), `HOST_HEADER_TWICE`, `HOST_HEADER_DIFFERS`. For a field of the body, the error code.
                                 * @example SECRET_HOST_NOT_ALLOWED
                                 */
                                code: string;
                                /** @description From 1. */
                                column?: number | null;
                                detail?: string | null;
                                field?: string | null;
                                /** @description From 1. */
                                line?: number | null;
                                /** @description What is wrong with the field of the body, in words for people. */
                                reason?: string;
                            }[];
                            /** @description The parameter or body field that the error is about. */
                            field?: string;
                        };
                        /** @description The address of the code in the guide. */
                        doc: string;
                        /** @description A stable code. Codes can be added: treat an unknown code as a general failure. */
                        error: ("invalid_uuid" | "invalid_path") | string;
                        /** @description What to do, in one sentence for people. The text can change. */
                        message: string;
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Error403TotpEnrollmentRequired"];
            404: components["responses"]["Error404NotFound"];
            429: components["responses"]["Error429RateLimitedTooManyUnknownKeys"];
            500: components["responses"]["Error500InternalError"];
            503: components["responses"]["Error503ServiceUnavailable"];
        };
    };
    getStepBody: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                resultId: string;
                stepId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StepBody"];
                };
            };
            /** @description There is no content. */
            204: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /**
             * @description - `invalid_uuid`: An id is not a UUID. Details: field, errors.
             *     - `invalid_path`: The path is not in its canonical form.
             */
            400: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        details?: {
                            /** @description Every problem of the script, or the first 20 wrong fields of the body when there are several. */
                            errors?: {
                                callIndex?: number | null;
                                /**
                                 * @description A code of the language, or one of the platform: `SECRET_HOST_NOT_ALLOWED` (a secret would be sent to a host that is not among its `allowedHosts`), `HOST_HEADER_TWICE`, `HOST_HEADER_DIFFERS`. For a field of the body, the error code.
                                 * @example SECRET_HOST_NOT_ALLOWED
                                 */
                                code: string;
                                /** @description From 1. */
                                column?: number | null;
                                detail?: string | null;
                                field?: string | null;
                                /** @description From 1. */
                                line?: number | null;
                                /** @description What is wrong with the field of the body, in words for people. */
                                reason?: string;
                            }[];
                            /** @description The parameter or body field that the error is about. */
                            field?: string;
                        };
                        /** @description The address of the code in the guide. */
                        doc: string;
                        /** @description A stable code. Codes can be added: treat an unknown code as a general failure. */
                        error: ("invalid_uuid" | "invalid_path") | string;
                        /** @description What to do, in one sentence for people. The text can change. */
                        message: string;
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Error403TotpEnrollmentRequired"];
            404: components["responses"]["Error404NotFound"];
            410: components["responses"]["Error410BodyGone"];
            413: components["responses"]["Error413BodyTooLarge"];
            429: components["responses"]["Error429RateLimitedTooManyUnknownKeys"];
            500: components["responses"]["Error500InternalError"];
            503: components["responses"]["Error503BodyStoreUnavailableServiceUnavailable"];
        };
    };
    runService: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Accepted: the work is done asynchronously. */
            202: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunRequested"];
                };
            };
            /**
             * @description - `invalid_uuid`: An id is not a UUID. Details: field, errors.
             *     - `invalid_request_body`: The body is not a JSON object, or one of its fields is not accepted. Details: field, reason, errors.
             *     - `invalid_path`: The path is not in its canonical form.
             */
            400: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        details?: {
                            /** @description Every problem of the script, or the first 20 wrong fields of the body when there are several. */
                            errors?: {
                                callIndex?: number | null;
                                /**
                                 * @description A code of the language, or one of the platform: `SECRET_HOST_NOT_ALLOWED` (a secret would be sent to a host that is not among its `allowedHosts`), `HOST_HEADER_TWICE`, `HOST_HEADER_DIFFERS`. For a field of the body, the error code.
                                 * @example SECRET_HOST_NOT_ALLOWED
                                 */
                                code: string;
                                /** @description From 1. */
                                column?: number | null;
                                detail?: string | null;
                                field?: string | null;
                                /** @description From 1. */
                                line?: number | null;
                                /** @description What is wrong with the field of the body, in words for people. */
                                reason?: string;
                            }[];
                            /** @description The parameter or body field that the error is about. */
                            field?: string;
                            /** @description What is wrong with the field, in words for people. */
                            reason?: string;
                        };
                        /** @description The address of the code in the guide. */
                        doc: string;
                        /** @description A stable code. Codes can be added: treat an unknown code as a general failure. */
                        error: ("invalid_uuid" | "invalid_request_body" | "invalid_path") | string;
                        /** @description What to do, in one sentence for people. The text can change. */
                        message: string;
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Error403ApiKeyReadOnlyTotpEnrollmentRequired"];
            404: components["responses"]["Error404NotFound"];
            409: components["responses"]["Error409ServiceInactiveScriptMissing"];
            413: components["responses"]["Error413RequestBodyTooLarge"];
            429: components["responses"]["Error429RateLimitedTooManyUnknownKeys"];
            500: components["responses"]["Error500InternalError"];
            503: components["responses"]["Error503ServiceUnavailable"];
        };
    };
    saveServiceScript: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description A probe script in the Lace language. */
                    script: string;
                    /** @description The version that the script replaces; 1 for a service without a saved script. */
                    version: number;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Service"];
                };
            };
            /**
             * @description - `field_invalid`: A parameter or a checked value is not accepted. Details: field, reason, max.
             *     - `invalid_uuid`: An id is not a UUID. Details: field, errors.
             *     - `invalid_request_body`: The body is not a JSON object, or one of its fields is not accepted. Details: field, reason, errors.
             *     - `invalid_path`: The path is not in its canonical form.
             *     - `blocked_probe_target`: The script targets a URL that probes must not request: one with a private, loopback or reserved address, an address of the server itself, an internal name, a scheme other than http and https, a port of another protocol (the bad ports of the Fetch standard), or a user name or password. `details.reason` says which. Details: field, reason, callIndex.
             *     - `unverified_domain_call_limit`: The script makes more than three calls while it targets an unverified domain. Details: field, reason, max, hosts.
             *     - `unverified_domain_includes`: The script uses an includes check while it targets an unverified domain. Details: field, reason, hosts.
             *     - `unverified_domain_interval`: The schedule runs more often than every five minutes while the script targets an unverified domain. Details: field, reason, hosts.
             */
            400: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        details?: {
                            /** @description The index of the call that the error is about, from 0. */
                            callIndex?: number;
                            /** @description Every problem of the script, or the first 20 wrong fields of the body when there are several. */
                            errors?: {
                                callIndex?: number | null;
                                /**
                                 * @description A code of the language, or one of the platform: `SECRET_HOST_NOT_ALLOWED` (a secret would be sent to a host that is not among its `allowedHosts`), `HOST_HEADER_TWICE`, `HOST_HEADER_DIFFERS`. For a field of the body, the error code.
                                 * @example SECRET_HOST_NOT_ALLOWED
                                 */
                                code: string;
                                /** @description From 1. */
                                column?: number | null;
                                detail?: string | null;
                                field?: string | null;
                                /** @description From 1. */
                                line?: number | null;
                                /** @description What is wrong with the field of the body, in words for people. */
                                reason?: string;
                            }[];
                            /** @description The parameter or body field that the error is about. */
                            field?: string;
                            /** @description The unverified hosts that the script targets. */
                            hosts?: string[];
                            /** @description The upper bound. */
                            max?: number;
                            /** @description What is wrong with the field, in words for people. */
                            reason?: string;
                        };
                        /** @description The address of the code in the guide. */
                        doc: string;
                        /** @description A stable code. Codes can be added: treat an unknown code as a general failure. */
                        error: ("field_invalid" | "invalid_uuid" | "invalid_request_body" | "invalid_path" | "blocked_probe_target" | "unverified_domain_call_limit" | "unverified_domain_includes" | "unverified_domain_interval") | string;
                        /** @description What to do, in one sentence for people. The text can change. */
                        message: string;
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Error403ApiKeyReadOnlyTotpEnrollmentRequired"];
            404: components["responses"]["Error404NotFound"];
            409: components["responses"]["Error409VersionConflict"];
            413: components["responses"]["Error413RequestBodyTooLarge"];
            429: components["responses"]["Error429RateLimitedTooManyUnknownKeys"];
            500: components["responses"]["Error500InternalError"];
            503: components["responses"]["Error503ServiceUnavailable"];
        };
    };
    getServiceSnapshot: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServiceSnapshot"];
                };
            };
            /**
             * @description - `invalid_uuid`: An id is not a UUID. Details: field, errors.
             *     - `invalid_path`: The path is not in its canonical form.
             */
            400: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        details?: {
                            /** @description Every problem of the script, or the first 20 wrong fields of the body when there are several. */
                            errors?: {
                                callIndex?: number | null;
                                /**
                                 * @description A code of the language, or one of the platform: `SECRET_HOST_NOT_ALLOWED` (a secret would be sent to a host that is not among its `allowedHosts`), `HOST_HEADER_TWICE`, `HOST_HEADER_DIFFERS`. For a field of the body, the error code.
                                 * @example SECRET_HOST_NOT_ALLOWED
                                 */
                                code: string;
                                /** @description From 1. */
                                column?: number | null;
                                detail?: string | null;
                                field?: string | null;
                                /** @description From 1. */
                                line?: number | null;
                                /** @description What is wrong with the field of the body, in words for people. */
                                reason?: string;
                            }[];
                            /** @description The parameter or body field that the error is about. */
                            field?: string;
                        };
                        /** @description The address of the code in the guide. */
                        doc: string;
                        /** @description A stable code. Codes can be added: treat an unknown code as a general failure. */
                        error: ("invalid_uuid" | "invalid_path") | string;
                        /** @description What to do, in one sentence for people. The text can change. */
                        message: string;
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Error403TotpEnrollmentRequired"];
            404: components["responses"]["Error404NotFound"];
            429: components["responses"]["Error429RateLimitedTooManyUnknownKeys"];
            500: components["responses"]["Error500InternalError"];
            503: components["responses"]["Error503ServiceUnavailable"];
        };
    };
    toggleService: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    isActive: boolean;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Service"];
                };
            };
            /**
             * @description - `field_invalid`: A parameter or a checked value is not accepted. Details: field, reason, max.
             *     - `field_required`: A required parameter or checked value is missing. Details: field, errors.
             *     - `invalid_uuid`: An id is not a UUID. Details: field, errors.
             *     - `invalid_request_body`: The body is not a JSON object, or one of its fields is not accepted. Details: field, reason, errors.
             *     - `invalid_path`: The path is not in its canonical form.
             *     - `blocked_probe_target`: The script targets a URL that probes must not request: one with a private, loopback or reserved address, an address of the server itself, an internal name, a scheme other than http and https, a port of another protocol (the bad ports of the Fetch standard), or a user name or password. `details.reason` says which. Details: field, reason, callIndex.
             *     - `unverified_domain_call_limit`: The script makes more than three calls while it targets an unverified domain. Details: field, reason, max, hosts.
             *     - `unverified_domain_includes`: The script uses an includes check while it targets an unverified domain. Details: field, reason, hosts.
             *     - `unverified_domain_interval`: The schedule runs more often than every five minutes while the script targets an unverified domain. Details: field, reason, hosts.
             */
            400: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        details?: {
                            /** @description The index of the call that the error is about, from 0. */
                            callIndex?: number;
                            /** @description Every problem of the script, or the first 20 wrong fields of the body when there are several. */
                            errors?: {
                                callIndex?: number | null;
                                /**
                                 * @description A code of the language, or one of the platform: `SECRET_HOST_NOT_ALLOWED` (a secret would be sent to a host that is not among its `allowedHosts`), `HOST_HEADER_TWICE`, `HOST_HEADER_DIFFERS`. For a field of the body, the error code.
                                 * @example SECRET_HOST_NOT_ALLOWED
                                 */
                                code: string;
                                /** @description From 1. */
                                column?: number | null;
                                detail?: string | null;
                                field?: string | null;
                                /** @description From 1. */
                                line?: number | null;
                                /** @description What is wrong with the field of the body, in words for people. */
                                reason?: string;
                            }[];
                            /** @description The parameter or body field that the error is about. */
                            field?: string;
                            /** @description The unverified hosts that the script targets. */
                            hosts?: string[];
                            /** @description The upper bound. */
                            max?: number;
                            /** @description What is wrong with the field, in words for people. */
                            reason?: string;
                        };
                        /** @description The address of the code in the guide. */
                        doc: string;
                        /** @description A stable code. Codes can be added: treat an unknown code as a general failure. */
                        error: ("field_invalid" | "field_required" | "invalid_uuid" | "invalid_request_body" | "invalid_path" | "blocked_probe_target" | "unverified_domain_call_limit" | "unverified_domain_includes" | "unverified_domain_interval") | string;
                        /** @description What to do, in one sentence for people. The text can change. */
                        message: string;
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Error403ApiKeyReadOnlyTotpEnrollmentRequired"];
            404: components["responses"]["Error404NotFound"];
            413: components["responses"]["Error413RequestBodyTooLarge"];
            429: components["responses"]["Error429RateLimitedTooManyUnknownKeys"];
            500: components["responses"]["Error500InternalError"];
            503: components["responses"]["Error503ServiceUnavailable"];
        };
    };
    listServiceVariables: {
        parameters: {
            query?: {
                page?: number;
                pageSize?: number;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VariablePage"];
                };
            };
            /**
             * @description - `field_invalid`: A parameter or a checked value is not accepted. Details: field, reason, max.
             *     - `invalid_uuid`: An id is not a UUID. Details: field, errors.
             *     - `invalid_path`: The path is not in its canonical form.
             */
            400: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        details?: {
                            /** @description Every problem of the script, or the first 20 wrong fields of the body when there are several. */
                            errors?: {
                                callIndex?: number | null;
                                /**
                                 * @description A code of the language, or one of the platform: `SECRET_HOST_NOT_ALLOWED` (a secret would be sent to a host that is not among its `allowedHosts`), `HOST_HEADER_TWICE`, `HOST_HEADER_DIFFERS`. For a field of the body, the error code.
                                 * @example SECRET_HOST_NOT_ALLOWED
                                 */
                                code: string;
                                /** @description From 1. */
                                column?: number | null;
                                detail?: string | null;
                                field?: string | null;
                                /** @description From 1. */
                                line?: number | null;
                                /** @description What is wrong with the field of the body, in words for people. */
                                reason?: string;
                            }[];
                            /** @description The parameter or body field that the error is about. */
                            field?: string;
                            /** @description The upper bound. */
                            max?: number;
                            /** @description What is wrong with the field, in words for people. */
                            reason?: string;
                        };
                        /** @description The address of the code in the guide. */
                        doc: string;
                        /** @description A stable code. Codes can be added: treat an unknown code as a general failure. */
                        error: ("field_invalid" | "invalid_uuid" | "invalid_path") | string;
                        /** @description What to do, in one sentence for people. The text can change. */
                        message: string;
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Error403TotpEnrollmentRequired"];
            404: components["responses"]["Error404NotFound"];
            429: components["responses"]["Error429RateLimitedTooManyUnknownKeys"];
            500: components["responses"]["Error500InternalError"];
            503: components["responses"]["Error503ServiceUnavailable"];
        };
    };
    createServiceVariable: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description The hosts that a secret may be sent to: `api.example.com`, or `*.example.com` for all its subdomains, each optionally with a port. Empty for any host. Must be empty unless the type is secret.
                     * @example [
                     *       "api.example.com",
                     *       "*.example.net:8443"
                     *     ]
                     */
                    allowedHosts?: string[];
                    key: string;
                    /**
                     * @default variable
                     * @enum {string}
                     */
                    type?: "variable" | "secret" | "metric";
                    value: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Variable"];
                };
            };
            /**
             * @description - `field_invalid`: A parameter or a checked value is not accepted. Details: field, reason, max.
             *     - `invalid_uuid`: An id is not a UUID. Details: field, errors.
             *     - `invalid_request_body`: The body is not a JSON object, or one of its fields is not accepted. Details: field, reason, errors.
             *     - `invalid_path`: The path is not in its canonical form.
             *     - `variable_limit_reached`: The scope has reached its limit of variables. Details: max.
             *     - `reserved_key`: The key is the name of a computed variable of the scope. Details: key.
             */
            400: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        details?: {
                            /** @description Every problem of the script, or the first 20 wrong fields of the body when there are several. */
                            errors?: {
                                callIndex?: number | null;
                                /**
                                 * @description A code of the language, or one of the platform: `SECRET_HOST_NOT_ALLOWED` (a secret would be sent to a host that is not among its `allowedHosts`), `HOST_HEADER_TWICE`, `HOST_HEADER_DIFFERS`. For a field of the body, the error code.
                                 * @example SECRET_HOST_NOT_ALLOWED
                                 */
                                code: string;
                                /** @description From 1. */
                                column?: number | null;
                                detail?: string | null;
                                field?: string | null;
                                /** @description From 1. */
                                line?: number | null;
                                /** @description What is wrong with the field of the body, in words for people. */
                                reason?: string;
                            }[];
                            /** @description The parameter or body field that the error is about. */
                            field?: string;
                            /** @description The key of the variable. */
                            key?: string;
                            /** @description The upper bound. */
                            max?: number;
                            /** @description What is wrong with the field, in words for people. */
                            reason?: string;
                        };
                        /** @description The address of the code in the guide. */
                        doc: string;
                        /** @description A stable code. Codes can be added: treat an unknown code as a general failure. */
                        error: ("field_invalid" | "invalid_uuid" | "invalid_request_body" | "invalid_path" | "variable_limit_reached" | "reserved_key") | string;
                        /** @description What to do, in one sentence for people. The text can change. */
                        message: string;
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Error403ApiKeyReadOnlyTotpEnrollmentRequired"];
            404: components["responses"]["Error404NotFound"];
            409: components["responses"]["Error409AlreadyExists"];
            413: components["responses"]["Error413RequestBodyTooLarge"];
            429: components["responses"]["Error429RateLimitedTooManyUnknownKeys"];
            500: components["responses"]["Error500InternalError"];
            503: components["responses"]["Error503ServiceUnavailable"];
        };
    };
    deleteServiceVariable: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                varId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Ok"];
                };
            };
            /**
             * @description - `invalid_uuid`: An id is not a UUID. Details: field, errors.
             *     - `invalid_request_body`: The body is not a JSON object, or one of its fields is not accepted. Details: field, reason, errors.
             *     - `invalid_path`: The path is not in its canonical form.
             *     - `system_variable`: Soundline creates this variable for every service; it cannot be deleted. Details: key.
             */
            400: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        details?: {
                            /** @description Every problem of the script, or the first 20 wrong fields of the body when there are several. */
                            errors?: {
                                callIndex?: number | null;
                                /**
                                 * @description A code of the language, or one of the platform: `SECRET_HOST_NOT_ALLOWED` (a secret would be sent to a host that is not among its `allowedHosts`), `HOST_HEADER_TWICE`, `HOST_HEADER_DIFFERS`. For a field of the body, the error code.
                                 * @example SECRET_HOST_NOT_ALLOWED
                                 */
                                code: string;
                                /** @description From 1. */
                                column?: number | null;
                                detail?: string | null;
                                field?: string | null;
                                /** @description From 1. */
                                line?: number | null;
                                /** @description What is wrong with the field of the body, in words for people. */
                                reason?: string;
                            }[];
                            /** @description The parameter or body field that the error is about. */
                            field?: string;
                            /** @description The key of the variable. */
                            key?: string;
                            /** @description What is wrong with the field, in words for people. */
                            reason?: string;
                        };
                        /** @description The address of the code in the guide. */
                        doc: string;
                        /** @description A stable code. Codes can be added: treat an unknown code as a general failure. */
                        error: ("invalid_uuid" | "invalid_request_body" | "invalid_path" | "system_variable") | string;
                        /** @description What to do, in one sentence for people. The text can change. */
                        message: string;
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Error403ApiKeyReadOnlyTotpEnrollmentRequired"];
            404: components["responses"]["Error404NotFound"];
            413: components["responses"]["Error413RequestBodyTooLarge"];
            429: components["responses"]["Error429RateLimitedTooManyUnknownKeys"];
            500: components["responses"]["Error500InternalError"];
            503: components["responses"]["Error503ServiceUnavailable"];
        };
    };
    updateServiceVariable: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                varId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description The hosts that a secret may be sent to: `api.example.com`, or `*.example.com` for all its subdomains, each optionally with a port. Empty for any host. Must be empty unless the type is secret.
                     * @example [
                     *       "api.example.com",
                     *       "*.example.net:8443"
                     *     ]
                     */
                    allowedHosts?: string[];
                    value: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Variable"];
                };
            };
            /**
             * @description - `field_invalid`: A parameter or a checked value is not accepted. Details: field, reason, max.
             *     - `invalid_uuid`: An id is not a UUID. Details: field, errors.
             *     - `invalid_request_body`: The body is not a JSON object, or one of its fields is not accepted. Details: field, reason, errors.
             *     - `invalid_path`: The path is not in its canonical form.
             *     - `readonly_variable`: Only scripts can write this variable. Details: key.
             */
            400: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        details?: {
                            /** @description Every problem of the script, or the first 20 wrong fields of the body when there are several. */
                            errors?: {
                                callIndex?: number | null;
                                /**
                                 * @description A code of the language, or one of the platform: `SECRET_HOST_NOT_ALLOWED` (a secret would be sent to a host that is not among its `allowedHosts`), `HOST_HEADER_TWICE`, `HOST_HEADER_DIFFERS`. For a field of the body, the error code.
                                 * @example SECRET_HOST_NOT_ALLOWED
                                 */
                                code: string;
                                /** @description From 1. */
                                column?: number | null;
                                detail?: string | null;
                                field?: string | null;
                                /** @description From 1. */
                                line?: number | null;
                                /** @description What is wrong with the field of the body, in words for people. */
                                reason?: string;
                            }[];
                            /** @description The parameter or body field that the error is about. */
                            field?: string;
                            /** @description The key of the variable. */
                            key?: string;
                            /** @description The upper bound. */
                            max?: number;
                            /** @description What is wrong with the field, in words for people. */
                            reason?: string;
                        };
                        /** @description The address of the code in the guide. */
                        doc: string;
                        /** @description A stable code. Codes can be added: treat an unknown code as a general failure. */
                        error: ("field_invalid" | "invalid_uuid" | "invalid_request_body" | "invalid_path" | "readonly_variable") | string;
                        /** @description What to do, in one sentence for people. The text can change. */
                        message: string;
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Error403ApiKeyReadOnlyTotpEnrollmentRequired"];
            404: components["responses"]["Error404NotFound"];
            413: components["responses"]["Error413RequestBodyTooLarge"];
            429: components["responses"]["Error429RateLimitedTooManyUnknownKeys"];
            500: components["responses"]["Error500InternalError"];
            503: components["responses"]["Error503ServiceUnavailable"];
        };
    };
    getServiceVariableHierarchy: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VariableHierarchy"];
                };
            };
            /**
             * @description - `invalid_uuid`: An id is not a UUID. Details: field, errors.
             *     - `invalid_path`: The path is not in its canonical form.
             */
            400: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        details?: {
                            /** @description Every problem of the script, or the first 20 wrong fields of the body when there are several. */
                            errors?: {
                                callIndex?: number | null;
                                /**
                                 * @description A code of the language, or one of the platform: `SECRET_HOST_NOT_ALLOWED` (a secret would be sent to a host that is not among its `allowedHosts`), `HOST_HEADER_TWICE`, `HOST_HEADER_DIFFERS`. For a field of the body, the error code.
                                 * @example SECRET_HOST_NOT_ALLOWED
                                 */
                                code: string;
                                /** @description From 1. */
                                column?: number | null;
                                detail?: string | null;
                                field?: string | null;
                                /** @description From 1. */
                                line?: number | null;
                                /** @description What is wrong with the field of the body, in words for people. */
                                reason?: string;
                            }[];
                            /** @description The parameter or body field that the error is about. */
                            field?: string;
                        };
                        /** @description The address of the code in the guide. */
                        doc: string;
                        /** @description A stable code. Codes can be added: treat an unknown code as a general failure. */
                        error: ("invalid_uuid" | "invalid_path") | string;
                        /** @description What to do, in one sentence for people. The text can change. */
                        message: string;
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Error403TotpEnrollmentRequired"];
            404: components["responses"]["Error404NotFound"];
            429: components["responses"]["Error429RateLimitedTooManyUnknownKeys"];
            500: components["responses"]["Error500InternalError"];
            503: components["responses"]["Error503ServiceUnavailable"];
        };
    };
    listSilences: {
        parameters: {
            query?: {
                page?: number;
                pageSize?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SilencePage"];
                };
            };
            /**
             * @description - `field_invalid`: A parameter or a checked value is not accepted. Details: field, reason, max.
             *     - `invalid_path`: The path is not in its canonical form.
             */
            400: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        details?: {
                            /** @description The parameter or body field that the error is about. */
                            field?: string;
                            /** @description The upper bound. */
                            max?: number;
                            /** @description What is wrong with the field, in words for people. */
                            reason?: string;
                        };
                        /** @description The address of the code in the guide. */
                        doc: string;
                        /** @description A stable code. Codes can be added: treat an unknown code as a general failure. */
                        error: ("field_invalid" | "invalid_path") | string;
                        /** @description What to do, in one sentence for people. The text can change. */
                        message: string;
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Error403TotpEnrollmentRequired"];
            429: components["responses"]["Error429RateLimitedTooManyUnknownKeys"];
            500: components["responses"]["Error500InternalError"];
            503: components["responses"]["Error503ServiceUnavailable"];
        };
    };
    createSilence: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @enum {string} */
                    channel: "email" | "all" | "quiet-hours";
                    config?: string | null;
                    projectId?: string | null;
                    quietHours?: string | null;
                    serviceId?: string | null;
                    workspaceId?: string | null;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Silence"];
                };
            };
            /**
             * @description - `field_invalid`: A parameter or a checked value is not accepted. Details: field, reason, max.
             *     - `field_required`: A required parameter or checked value is missing. Details: field, errors.
             *     - `invalid_uuid`: An id is not a UUID. Details: field, errors.
             *     - `invalid_request_body`: The body is not a JSON object, or one of its fields is not accepted. Details: field, reason, errors.
             *     - `invalid_path`: The path is not in its canonical form.
             *     - `silence_limit_reached`: The caller has as many silences as a member may have. Details: max.
             */
            400: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        details?: {
                            /** @description Every problem of the script, or the first 20 wrong fields of the body when there are several. */
                            errors?: {
                                callIndex?: number | null;
                                /**
                                 * @description A code of the language, or one of the platform: `SECRET_HOST_NOT_ALLOWED` (a secret would be sent to a host that is not among its `allowedHosts`), `HOST_HEADER_TWICE`, `HOST_HEADER_DIFFERS`. For a field of the body, the error code.
                                 * @example SECRET_HOST_NOT_ALLOWED
                                 */
                                code: string;
                                /** @description From 1. */
                                column?: number | null;
                                detail?: string | null;
                                field?: string | null;
                                /** @description From 1. */
                                line?: number | null;
                                /** @description What is wrong with the field of the body, in words for people. */
                                reason?: string;
                            }[];
                            /** @description The parameter or body field that the error is about. */
                            field?: string;
                            /** @description The upper bound. */
                            max?: number;
                            /** @description What is wrong with the field, in words for people. */
                            reason?: string;
                        };
                        /** @description The address of the code in the guide. */
                        doc: string;
                        /** @description A stable code. Codes can be added: treat an unknown code as a general failure. */
                        error: ("field_invalid" | "field_required" | "invalid_uuid" | "invalid_request_body" | "invalid_path" | "silence_limit_reached") | string;
                        /** @description What to do, in one sentence for people. The text can change. */
                        message: string;
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Error403ApiKeyReadOnlyTotpEnrollmentRequired"];
            404: components["responses"]["Error404NotFound"];
            413: components["responses"]["Error413RequestBodyTooLarge"];
            429: components["responses"]["Error429RateLimitedTooManyUnknownKeys"];
            500: components["responses"]["Error500InternalError"];
            503: components["responses"]["Error503ServiceUnavailable"];
        };
    };
    getSilence: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Silence"];
                };
            };
            /**
             * @description - `invalid_uuid`: An id is not a UUID. Details: field, errors.
             *     - `invalid_path`: The path is not in its canonical form.
             */
            400: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        details?: {
                            /** @description Every problem of the script, or the first 20 wrong fields of the body when there are several. */
                            errors?: {
                                callIndex?: number | null;
                                /**
                                 * @description A code of the language, or one of the platform: `SECRET_HOST_NOT_ALLOWED` (a secret would be sent to a host that is not among its `allowedHosts`), `HOST_HEADER_TWICE`, `HOST_HEADER_DIFFERS`. For a field of the body, the error code.
                                 * @example SECRET_HOST_NOT_ALLOWED
                                 */
                                code: string;
                                /** @description From 1. */
                                column?: number | null;
                                detail?: string | null;
                                field?: string | null;
                                /** @description From 1. */
                                line?: number | null;
                                /** @description What is wrong with the field of the body, in words for people. */
                                reason?: string;
                            }[];
                            /** @description The parameter or body field that the error is about. */
                            field?: string;
                        };
                        /** @description The address of the code in the guide. */
                        doc: string;
                        /** @description A stable code. Codes can be added: treat an unknown code as a general failure. */
                        error: ("invalid_uuid" | "invalid_path") | string;
                        /** @description What to do, in one sentence for people. The text can change. */
                        message: string;
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Error403TotpEnrollmentRequired"];
            404: components["responses"]["Error404NotFound"];
            429: components["responses"]["Error429RateLimitedTooManyUnknownKeys"];
            500: components["responses"]["Error500InternalError"];
            503: components["responses"]["Error503ServiceUnavailable"];
        };
    };
    deleteSilence: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Ok"];
                };
            };
            /**
             * @description - `invalid_uuid`: An id is not a UUID. Details: field, errors.
             *     - `invalid_request_body`: The body is not a JSON object, or one of its fields is not accepted. Details: field, reason, errors.
             *     - `invalid_path`: The path is not in its canonical form.
             */
            400: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        details?: {
                            /** @description Every problem of the script, or the first 20 wrong fields of the body when there are several. */
                            errors?: {
                                callIndex?: number | null;
                                /**
                                 * @description A code of the language, or one of the platform: `SECRET_HOST_NOT_ALLOWED` (a secret would be sent to a host that is not among its `allowedHosts`), `HOST_HEADER_TWICE`, `HOST_HEADER_DIFFERS`. For a field of the body, the error code.
                                 * @example SECRET_HOST_NOT_ALLOWED
                                 */
                                code: string;
                                /** @description From 1. */
                                column?: number | null;
                                detail?: string | null;
                                field?: string | null;
                                /** @description From 1. */
                                line?: number | null;
                                /** @description What is wrong with the field of the body, in words for people. */
                                reason?: string;
                            }[];
                            /** @description The parameter or body field that the error is about. */
                            field?: string;
                            /** @description What is wrong with the field, in words for people. */
                            reason?: string;
                        };
                        /** @description The address of the code in the guide. */
                        doc: string;
                        /** @description A stable code. Codes can be added: treat an unknown code as a general failure. */
                        error: ("invalid_uuid" | "invalid_request_body" | "invalid_path") | string;
                        /** @description What to do, in one sentence for people. The text can change. */
                        message: string;
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Error403ApiKeyReadOnlyTotpEnrollmentRequired"];
            404: components["responses"]["Error404NotFound"];
            413: components["responses"]["Error413RequestBodyTooLarge"];
            429: components["responses"]["Error429RateLimitedTooManyUnknownKeys"];
            500: components["responses"]["Error500InternalError"];
            503: components["responses"]["Error503ServiceUnavailable"];
        };
    };
    updateSilence: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @enum {string} */
                    channel?: "email" | "all" | "quiet-hours";
                    config?: string | null;
                    quietHours?: string | null;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Silence"];
                };
            };
            /**
             * @description - `field_invalid`: A parameter or a checked value is not accepted. Details: field, reason, max.
             *     - `field_required`: A required parameter or checked value is missing. Details: field, errors.
             *     - `invalid_uuid`: An id is not a UUID. Details: field, errors.
             *     - `invalid_request_body`: The body is not a JSON object, or one of its fields is not accepted. Details: field, reason, errors.
             *     - `invalid_path`: The path is not in its canonical form.
             */
            400: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        details?: {
                            /** @description Every problem of the script, or the first 20 wrong fields of the body when there are several. */
                            errors?: {
                                callIndex?: number | null;
                                /**
                                 * @description A code of the language, or one of the platform: `SECRET_HOST_NOT_ALLOWED` (a secret would be sent to a host that is not among its `allowedHosts`), `HOST_HEADER_TWICE`, `HOST_HEADER_DIFFERS`. For a field of the body, the error code.
                                 * @example SECRET_HOST_NOT_ALLOWED
                                 */
                                code: string;
                                /** @description From 1. */
                                column?: number | null;
                                detail?: string | null;
                                field?: string | null;
                                /** @description From 1. */
                                line?: number | null;
                                /** @description What is wrong with the field of the body, in words for people. */
                                reason?: string;
                            }[];
                            /** @description The parameter or body field that the error is about. */
                            field?: string;
                            /** @description The upper bound. */
                            max?: number;
                            /** @description What is wrong with the field, in words for people. */
                            reason?: string;
                        };
                        /** @description The address of the code in the guide. */
                        doc: string;
                        /** @description A stable code. Codes can be added: treat an unknown code as a general failure. */
                        error: ("field_invalid" | "field_required" | "invalid_uuid" | "invalid_request_body" | "invalid_path") | string;
                        /** @description What to do, in one sentence for people. The text can change. */
                        message: string;
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Error403ApiKeyReadOnlyTotpEnrollmentRequired"];
            404: components["responses"]["Error404NotFound"];
            413: components["responses"]["Error413RequestBodyTooLarge"];
            429: components["responses"]["Error429RateLimitedTooManyUnknownKeys"];
            500: components["responses"]["Error500InternalError"];
            503: components["responses"]["Error503ServiceUnavailable"];
        };
    };
    listOrganizationVariables: {
        parameters: {
            query?: {
                page?: number;
                pageSize?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VariablePage"];
                };
            };
            /**
             * @description - `field_invalid`: A parameter or a checked value is not accepted. Details: field, reason, max.
             *     - `invalid_path`: The path is not in its canonical form.
             */
            400: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        details?: {
                            /** @description The parameter or body field that the error is about. */
                            field?: string;
                            /** @description The upper bound. */
                            max?: number;
                            /** @description What is wrong with the field, in words for people. */
                            reason?: string;
                        };
                        /** @description The address of the code in the guide. */
                        doc: string;
                        /** @description A stable code. Codes can be added: treat an unknown code as a general failure. */
                        error: ("field_invalid" | "invalid_path") | string;
                        /** @description What to do, in one sentence for people. The text can change. */
                        message: string;
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Error403TotpEnrollmentRequiredInsufficientPermissions"];
            429: components["responses"]["Error429RateLimitedTooManyUnknownKeys"];
            500: components["responses"]["Error500InternalError"];
            503: components["responses"]["Error503ServiceUnavailable"];
        };
    };
    createOrganizationVariable: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description The hosts that a secret may be sent to: `api.example.com`, or `*.example.com` for all its subdomains, each optionally with a port. Empty for any host. Must be empty unless the type is secret.
                     * @example [
                     *       "api.example.com",
                     *       "*.example.net:8443"
                     *     ]
                     */
                    allowedHosts?: string[];
                    key: string;
                    /**
                     * @default variable
                     * @enum {string}
                     */
                    type?: "variable" | "secret" | "metric";
                    value: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Variable"];
                };
            };
            /**
             * @description - `field_invalid`: A parameter or a checked value is not accepted. Details: field, reason, max.
             *     - `invalid_request_body`: The body is not a JSON object, or one of its fields is not accepted. Details: field, reason, errors.
             *     - `invalid_path`: The path is not in its canonical form.
             *     - `variable_limit_reached`: The scope has reached its limit of variables. Details: max.
             */
            400: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        details?: {
                            /** @description Every problem of the script, or the first 20 wrong fields of the body when there are several. */
                            errors?: {
                                callIndex?: number | null;
                                /**
                                 * @description A code of the language, or one of the platform: `SECRET_HOST_NOT_ALLOWED` (a secret would be sent to a host that is not among its `allowedHosts`), `HOST_HEADER_TWICE`, `HOST_HEADER_DIFFERS`. For a field of the body, the error code.
                                 * @example SECRET_HOST_NOT_ALLOWED
                                 */
                                code: string;
                                /** @description From 1. */
                                column?: number | null;
                                detail?: string | null;
                                field?: string | null;
                                /** @description From 1. */
                                line?: number | null;
                                /** @description What is wrong with the field of the body, in words for people. */
                                reason?: string;
                            }[];
                            /** @description The parameter or body field that the error is about. */
                            field?: string;
                            /** @description The upper bound. */
                            max?: number;
                            /** @description What is wrong with the field, in words for people. */
                            reason?: string;
                        };
                        /** @description The address of the code in the guide. */
                        doc: string;
                        /** @description A stable code. Codes can be added: treat an unknown code as a general failure. */
                        error: ("field_invalid" | "invalid_request_body" | "invalid_path" | "variable_limit_reached") | string;
                        /** @description What to do, in one sentence for people. The text can change. */
                        message: string;
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Error403ApiKeyReadOnlyTotpEnrollmentRequiredInsufficientPermissions"];
            404: components["responses"]["Error404NotFound"];
            409: components["responses"]["Error409AlreadyExists"];
            413: components["responses"]["Error413RequestBodyTooLarge"];
            429: components["responses"]["Error429RateLimitedTooManyUnknownKeys"];
            500: components["responses"]["Error500InternalError"];
            503: components["responses"]["Error503ServiceUnavailable"];
        };
    };
    deleteOrganizationVariable: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                varId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Ok"];
                };
            };
            /**
             * @description - `invalid_uuid`: An id is not a UUID. Details: field, errors.
             *     - `invalid_request_body`: The body is not a JSON object, or one of its fields is not accepted. Details: field, reason, errors.
             *     - `invalid_path`: The path is not in its canonical form.
             */
            400: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        details?: {
                            /** @description Every problem of the script, or the first 20 wrong fields of the body when there are several. */
                            errors?: {
                                callIndex?: number | null;
                                /**
                                 * @description A code of the language, or one of the platform: `SECRET_HOST_NOT_ALLOWED` (a secret would be sent to a host that is not among its `allowedHosts`), `HOST_HEADER_TWICE`, `HOST_HEADER_DIFFERS`. For a field of the body, the error code.
                                 * @example SECRET_HOST_NOT_ALLOWED
                                 */
                                code: string;
                                /** @description From 1. */
                                column?: number | null;
                                detail?: string | null;
                                field?: string | null;
                                /** @description From 1. */
                                line?: number | null;
                                /** @description What is wrong with the field of the body, in words for people. */
                                reason?: string;
                            }[];
                            /** @description The parameter or body field that the error is about. */
                            field?: string;
                            /** @description What is wrong with the field, in words for people. */
                            reason?: string;
                        };
                        /** @description The address of the code in the guide. */
                        doc: string;
                        /** @description A stable code. Codes can be added: treat an unknown code as a general failure. */
                        error: ("invalid_uuid" | "invalid_request_body" | "invalid_path") | string;
                        /** @description What to do, in one sentence for people. The text can change. */
                        message: string;
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Error403ApiKeyReadOnlyTotpEnrollmentRequiredInsufficientPermissions"];
            404: components["responses"]["Error404NotFound"];
            413: components["responses"]["Error413RequestBodyTooLarge"];
            429: components["responses"]["Error429RateLimitedTooManyUnknownKeys"];
            500: components["responses"]["Error500InternalError"];
            503: components["responses"]["Error503ServiceUnavailable"];
        };
    };
    updateOrganizationVariable: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                varId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description The hosts that a secret may be sent to: `api.example.com`, or `*.example.com` for all its subdomains, each optionally with a port. Empty for any host. Must be empty unless the type is secret.
                     * @example [
                     *       "api.example.com",
                     *       "*.example.net:8443"
                     *     ]
                     */
                    allowedHosts?: string[];
                    value: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Variable"];
                };
            };
            /**
             * @description - `field_invalid`: A parameter or a checked value is not accepted. Details: field, reason, max.
             *     - `invalid_uuid`: An id is not a UUID. Details: field, errors.
             *     - `invalid_request_body`: The body is not a JSON object, or one of its fields is not accepted. Details: field, reason, errors.
             *     - `invalid_path`: The path is not in its canonical form.
             */
            400: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        details?: {
                            /** @description Every problem of the script, or the first 20 wrong fields of the body when there are several. */
                            errors?: {
                                callIndex?: number | null;
                                /**
                                 * @description A code of the language, or one of the platform: `SECRET_HOST_NOT_ALLOWED` (a secret would be sent to a host that is not among its `allowedHosts`), `HOST_HEADER_TWICE`, `HOST_HEADER_DIFFERS`. For a field of the body, the error code.
                                 * @example SECRET_HOST_NOT_ALLOWED
                                 */
                                code: string;
                                /** @description From 1. */
                                column?: number | null;
                                detail?: string | null;
                                field?: string | null;
                                /** @description From 1. */
                                line?: number | null;
                                /** @description What is wrong with the field of the body, in words for people. */
                                reason?: string;
                            }[];
                            /** @description The parameter or body field that the error is about. */
                            field?: string;
                            /** @description The upper bound. */
                            max?: number;
                            /** @description What is wrong with the field, in words for people. */
                            reason?: string;
                        };
                        /** @description The address of the code in the guide. */
                        doc: string;
                        /** @description A stable code. Codes can be added: treat an unknown code as a general failure. */
                        error: ("field_invalid" | "invalid_uuid" | "invalid_request_body" | "invalid_path") | string;
                        /** @description What to do, in one sentence for people. The text can change. */
                        message: string;
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Error403ApiKeyReadOnlyTotpEnrollmentRequiredInsufficientPermissions"];
            404: components["responses"]["Error404NotFound"];
            413: components["responses"]["Error413RequestBodyTooLarge"];
            429: components["responses"]["Error429RateLimitedTooManyUnknownKeys"];
            500: components["responses"]["Error500InternalError"];
            503: components["responses"]["Error503ServiceUnavailable"];
        };
    };
    listWebhooks: {
        parameters: {
            query?: {
                page?: number;
                pageSize?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookPage"];
                };
            };
            /**
             * @description - `field_invalid`: A parameter or a checked value is not accepted. Details: field, reason, max.
             *     - `invalid_path`: The path is not in its canonical form.
             */
            400: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        details?: {
                            /** @description The parameter or body field that the error is about. */
                            field?: string;
                            /** @description The upper bound. */
                            max?: number;
                            /** @description What is wrong with the field, in words for people. */
                            reason?: string;
                        };
                        /** @description The address of the code in the guide. */
                        doc: string;
                        /** @description A stable code. Codes can be added: treat an unknown code as a general failure. */
                        error: ("field_invalid" | "invalid_path") | string;
                        /** @description What to do, in one sentence for people. The text can change. */
                        message: string;
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Error403TotpEnrollmentRequiredInsufficientPermissions"];
            429: components["responses"]["Error429RateLimitedTooManyUnknownKeys"];
            500: components["responses"]["Error500InternalError"];
            503: components["responses"]["Error503ServiceUnavailable"];
        };
    };
    listWebhookBindings: {
        parameters: {
            query: {
                page?: number;
                pageSize?: number;
                resourceId: string;
                resourceType: "workspace" | "project" | "service";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookBindingPage"];
                };
            };
            /**
             * @description - `field_invalid`: A parameter or a checked value is not accepted. Details: field, reason, max.
             *     - `field_required`: A required parameter or checked value is missing. Details: field, errors.
             *     - `invalid_uuid`: An id is not a UUID. Details: field, errors.
             *     - `invalid_path`: The path is not in its canonical form.
             */
            400: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        details?: {
                            /** @description Every problem of the script, or the first 20 wrong fields of the body when there are several. */
                            errors?: {
                                callIndex?: number | null;
                                /**
                                 * @description A code of the language, or one of the platform: `SECRET_HOST_NOT_ALLOWED` (a secret would be sent to a host that is not among its `allowedHosts`), `HOST_HEADER_TWICE`, `HOST_HEADER_DIFFERS`. For a field of the body, the error code.
                                 * @example SECRET_HOST_NOT_ALLOWED
                                 */
                                code: string;
                                /** @description From 1. */
                                column?: number | null;
                                detail?: string | null;
                                field?: string | null;
                                /** @description From 1. */
                                line?: number | null;
                                /** @description What is wrong with the field of the body, in words for people. */
                                reason?: string;
                            }[];
                            /** @description The parameter or body field that the error is about. */
                            field?: string;
                            /** @description The upper bound. */
                            max?: number;
                            /** @description What is wrong with the field, in words for people. */
                            reason?: string;
                        };
                        /** @description The address of the code in the guide. */
                        doc: string;
                        /** @description A stable code. Codes can be added: treat an unknown code as a general failure. */
                        error: ("field_invalid" | "field_required" | "invalid_uuid" | "invalid_path") | string;
                        /** @description What to do, in one sentence for people. The text can change. */
                        message: string;
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Error403TotpEnrollmentRequiredInsufficientPermissions"];
            404: components["responses"]["Error404NotFound"];
            429: components["responses"]["Error429RateLimitedTooManyUnknownKeys"];
            500: components["responses"]["Error500InternalError"];
            503: components["responses"]["Error503ServiceUnavailable"];
        };
    };
    createWebhookBinding: {
        parameters: {
            query: {
                resourceId: string;
                resourceType: "workspace" | "project" | "service";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @default true */
                    enabled?: boolean;
                    /** Format: uuid */
                    webhookId: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookBinding"];
                };
            };
            /**
             * @description - `field_invalid`: A parameter or a checked value is not accepted. Details: field, reason, max.
             *     - `field_required`: A required parameter or checked value is missing. Details: field, errors.
             *     - `invalid_uuid`: An id is not a UUID. Details: field, errors.
             *     - `invalid_request_body`: The body is not a JSON object, or one of its fields is not accepted. Details: field, reason, errors.
             *     - `invalid_path`: The path is not in its canonical form.
             */
            400: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        details?: {
                            /** @description Every problem of the script, or the first 20 wrong fields of the body when there are several. */
                            errors?: {
                                callIndex?: number | null;
                                /**
                                 * @description A code of the language, or one of the platform: `SECRET_HOST_NOT_ALLOWED` (a secret would be sent to a host that is not among its `allowedHosts`), `HOST_HEADER_TWICE`, `HOST_HEADER_DIFFERS`. For a field of the body, the error code.
                                 * @example SECRET_HOST_NOT_ALLOWED
                                 */
                                code: string;
                                /** @description From 1. */
                                column?: number | null;
                                detail?: string | null;
                                field?: string | null;
                                /** @description From 1. */
                                line?: number | null;
                                /** @description What is wrong with the field of the body, in words for people. */
                                reason?: string;
                            }[];
                            /** @description The parameter or body field that the error is about. */
                            field?: string;
                            /** @description The upper bound. */
                            max?: number;
                            /** @description What is wrong with the field, in words for people. */
                            reason?: string;
                        };
                        /** @description The address of the code in the guide. */
                        doc: string;
                        /** @description A stable code. Codes can be added: treat an unknown code as a general failure. */
                        error: ("field_invalid" | "field_required" | "invalid_uuid" | "invalid_request_body" | "invalid_path") | string;
                        /** @description What to do, in one sentence for people. The text can change. */
                        message: string;
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Error403ApiKeyReadOnlyTotpEnrollmentRequiredInsufficientPermissions"];
            404: components["responses"]["Error404NotFound"];
            409: components["responses"]["Error409BindingExists"];
            413: components["responses"]["Error413RequestBodyTooLarge"];
            429: components["responses"]["Error429RateLimitedTooManyUnknownKeys"];
            500: components["responses"]["Error500InternalError"];
            503: components["responses"]["Error503ServiceUnavailable"];
        };
    };
    deleteWebhookBinding: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Ok"];
                };
            };
            /**
             * @description - `invalid_uuid`: An id is not a UUID. Details: field, errors.
             *     - `invalid_request_body`: The body is not a JSON object, or one of its fields is not accepted. Details: field, reason, errors.
             *     - `invalid_path`: The path is not in its canonical form.
             */
            400: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        details?: {
                            /** @description Every problem of the script, or the first 20 wrong fields of the body when there are several. */
                            errors?: {
                                callIndex?: number | null;
                                /**
                                 * @description A code of the language, or one of the platform: `SECRET_HOST_NOT_ALLOWED` (a secret would be sent to a host that is not among its `allowedHosts`), `HOST_HEADER_TWICE`, `HOST_HEADER_DIFFERS`. For a field of the body, the error code.
                                 * @example SECRET_HOST_NOT_ALLOWED
                                 */
                                code: string;
                                /** @description From 1. */
                                column?: number | null;
                                detail?: string | null;
                                field?: string | null;
                                /** @description From 1. */
                                line?: number | null;
                                /** @description What is wrong with the field of the body, in words for people. */
                                reason?: string;
                            }[];
                            /** @description The parameter or body field that the error is about. */
                            field?: string;
                            /** @description What is wrong with the field, in words for people. */
                            reason?: string;
                        };
                        /** @description The address of the code in the guide. */
                        doc: string;
                        /** @description A stable code. Codes can be added: treat an unknown code as a general failure. */
                        error: ("invalid_uuid" | "invalid_request_body" | "invalid_path") | string;
                        /** @description What to do, in one sentence for people. The text can change. */
                        message: string;
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Error403ApiKeyReadOnlyTotpEnrollmentRequiredInsufficientPermissions"];
            404: components["responses"]["Error404NotFound"];
            413: components["responses"]["Error413RequestBodyTooLarge"];
            429: components["responses"]["Error429RateLimitedTooManyUnknownKeys"];
            500: components["responses"]["Error500InternalError"];
            503: components["responses"]["Error503ServiceUnavailable"];
        };
    };
    updateWebhookBinding: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    enabled: boolean;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookBinding"];
                };
            };
            /**
             * @description - `field_required`: A required parameter or checked value is missing. Details: field, errors.
             *     - `invalid_uuid`: An id is not a UUID. Details: field, errors.
             *     - `invalid_request_body`: The body is not a JSON object, or one of its fields is not accepted. Details: field, reason, errors.
             *     - `invalid_path`: The path is not in its canonical form.
             */
            400: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        details?: {
                            /** @description Every problem of the script, or the first 20 wrong fields of the body when there are several. */
                            errors?: {
                                callIndex?: number | null;
                                /**
                                 * @description A code of the language, or one of the platform: `SECRET_HOST_NOT_ALLOWED` (a secret would be sent to a host that is not among its `allowedHosts`), `HOST_HEADER_TWICE`, `HOST_HEADER_DIFFERS`. For a field of the body, the error code.
                                 * @example SECRET_HOST_NOT_ALLOWED
                                 */
                                code: string;
                                /** @description From 1. */
                                column?: number | null;
                                detail?: string | null;
                                field?: string | null;
                                /** @description From 1. */
                                line?: number | null;
                                /** @description What is wrong with the field of the body, in words for people. */
                                reason?: string;
                            }[];
                            /** @description The parameter or body field that the error is about. */
                            field?: string;
                            /** @description What is wrong with the field, in words for people. */
                            reason?: string;
                        };
                        /** @description The address of the code in the guide. */
                        doc: string;
                        /** @description A stable code. Codes can be added: treat an unknown code as a general failure. */
                        error: ("field_required" | "invalid_uuid" | "invalid_request_body" | "invalid_path") | string;
                        /** @description What to do, in one sentence for people. The text can change. */
                        message: string;
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Error403ApiKeyReadOnlyTotpEnrollmentRequiredInsufficientPermissions"];
            404: components["responses"]["Error404NotFound"];
            413: components["responses"]["Error413RequestBodyTooLarge"];
            429: components["responses"]["Error429RateLimitedTooManyUnknownKeys"];
            500: components["responses"]["Error500InternalError"];
            503: components["responses"]["Error503ServiceUnavailable"];
        };
    };
    listWorkspaces: {
        parameters: {
            query?: {
                page?: number;
                pageSize?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkspacePage"];
                };
            };
            /**
             * @description - `field_invalid`: A parameter or a checked value is not accepted. Details: field, reason, max.
             *     - `invalid_path`: The path is not in its canonical form.
             */
            400: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        details?: {
                            /** @description The parameter or body field that the error is about. */
                            field?: string;
                            /** @description The upper bound. */
                            max?: number;
                            /** @description What is wrong with the field, in words for people. */
                            reason?: string;
                        };
                        /** @description The address of the code in the guide. */
                        doc: string;
                        /** @description A stable code. Codes can be added: treat an unknown code as a general failure. */
                        error: ("field_invalid" | "invalid_path") | string;
                        /** @description What to do, in one sentence for people. The text can change. */
                        message: string;
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Error403TotpEnrollmentRequired"];
            429: components["responses"]["Error429RateLimitedTooManyUnknownKeys"];
            500: components["responses"]["Error500InternalError"];
            503: components["responses"]["Error503ServiceUnavailable"];
        };
    };
    createWorkspace: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Trimmed; must not contain control characters or line breaks. */
                    name: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Workspace"];
                };
            };
            /**
             * @description - `invalid_request_body`: The body is not a JSON object, or one of its fields is not accepted. Details: field, reason, errors.
             *     - `invalid_path`: The path is not in its canonical form.
             */
            400: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        details?: {
                            /** @description Every problem of the script, or the first 20 wrong fields of the body when there are several. */
                            errors?: {
                                callIndex?: number | null;
                                /**
                                 * @description A code of the language, or one of the platform: `SECRET_HOST_NOT_ALLOWED` (a secret would be sent to a host that is not among its `allowedHosts`), `HOST_HEADER_TWICE`, `HOST_HEADER_DIFFERS`. For a field of the body, the error code.
                                 * @example SECRET_HOST_NOT_ALLOWED
                                 */
                                code: string;
                                /** @description From 1. */
                                column?: number | null;
                                detail?: string | null;
                                field?: string | null;
                                /** @description From 1. */
                                line?: number | null;
                                /** @description What is wrong with the field of the body, in words for people. */
                                reason?: string;
                            }[];
                            /** @description The parameter or body field that the error is about. */
                            field?: string;
                            /** @description What is wrong with the field, in words for people. */
                            reason?: string;
                        };
                        /** @description The address of the code in the guide. */
                        doc: string;
                        /** @description A stable code. Codes can be added: treat an unknown code as a general failure. */
                        error: ("invalid_request_body" | "invalid_path") | string;
                        /** @description What to do, in one sentence for people. The text can change. */
                        message: string;
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Error403ApiKeyReadOnlyTotpEnrollmentRequiredInsufficientPermissions"];
            404: components["responses"]["Error404NotFound"];
            409: components["responses"]["Error409AlreadyExists"];
            413: components["responses"]["Error413RequestBodyTooLarge"];
            429: components["responses"]["Error429RateLimitedTooManyUnknownKeys"];
            500: components["responses"]["Error500InternalError"];
            503: components["responses"]["Error503ServiceUnavailable"];
        };
    };
    getWorkspace: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Workspace"];
                };
            };
            /**
             * @description - `invalid_uuid`: An id is not a UUID. Details: field, errors.
             *     - `invalid_path`: The path is not in its canonical form.
             */
            400: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        details?: {
                            /** @description Every problem of the script, or the first 20 wrong fields of the body when there are several. */
                            errors?: {
                                callIndex?: number | null;
                                /**
                                 * @description A code of the language, or one of the platform: `SECRET_HOST_NOT_ALLOWED` (a secret would be sent to a host that is not among its `allowedHosts`), `HOST_HEADER_TWICE`, `HOST_HEADER_DIFFERS`. For a field of the body, the error code.
                                 * @example SECRET_HOST_NOT_ALLOWED
                                 */
                                code: string;
                                /** @description From 1. */
                                column?: number | null;
                                detail?: string | null;
                                field?: string | null;
                                /** @description From 1. */
                                line?: number | null;
                                /** @description What is wrong with the field of the body, in words for people. */
                                reason?: string;
                            }[];
                            /** @description The parameter or body field that the error is about. */
                            field?: string;
                        };
                        /** @description The address of the code in the guide. */
                        doc: string;
                        /** @description A stable code. Codes can be added: treat an unknown code as a general failure. */
                        error: ("invalid_uuid" | "invalid_path") | string;
                        /** @description What to do, in one sentence for people. The text can change. */
                        message: string;
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Error403TotpEnrollmentRequired"];
            404: components["responses"]["Error404NotFound"];
            429: components["responses"]["Error429RateLimitedTooManyUnknownKeys"];
            500: components["responses"]["Error500InternalError"];
            503: components["responses"]["Error503ServiceUnavailable"];
        };
    };
    deleteWorkspace: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Ok"];
                };
            };
            /**
             * @description - `invalid_uuid`: An id is not a UUID. Details: field, errors.
             *     - `invalid_request_body`: The body is not a JSON object, or one of its fields is not accepted. Details: field, reason, errors.
             *     - `invalid_path`: The path is not in its canonical form.
             */
            400: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        details?: {
                            /** @description Every problem of the script, or the first 20 wrong fields of the body when there are several. */
                            errors?: {
                                callIndex?: number | null;
                                /**
                                 * @description A code of the language, or one of the platform: `SECRET_HOST_NOT_ALLOWED` (a secret would be sent to a host that is not among its `allowedHosts`), `HOST_HEADER_TWICE`, `HOST_HEADER_DIFFERS`. For a field of the body, the error code.
                                 * @example SECRET_HOST_NOT_ALLOWED
                                 */
                                code: string;
                                /** @description From 1. */
                                column?: number | null;
                                detail?: string | null;
                                field?: string | null;
                                /** @description From 1. */
                                line?: number | null;
                                /** @description What is wrong with the field of the body, in words for people. */
                                reason?: string;
                            }[];
                            /** @description The parameter or body field that the error is about. */
                            field?: string;
                            /** @description What is wrong with the field, in words for people. */
                            reason?: string;
                        };
                        /** @description The address of the code in the guide. */
                        doc: string;
                        /** @description A stable code. Codes can be added: treat an unknown code as a general failure. */
                        error: ("invalid_uuid" | "invalid_request_body" | "invalid_path") | string;
                        /** @description What to do, in one sentence for people. The text can change. */
                        message: string;
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Error403ApiKeyReadOnlyTotpEnrollmentRequired"];
            404: components["responses"]["Error404NotFound"];
            413: components["responses"]["Error413RequestBodyTooLarge"];
            429: components["responses"]["Error429RateLimitedTooManyUnknownKeys"];
            500: components["responses"]["Error500InternalError"];
            503: components["responses"]["Error503ServiceUnavailable"];
        };
    };
    renameWorkspace: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Trimmed; must not contain control characters or line breaks. */
                    name: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Workspace"];
                };
            };
            /**
             * @description - `invalid_uuid`: An id is not a UUID. Details: field, errors.
             *     - `invalid_request_body`: The body is not a JSON object, or one of its fields is not accepted. Details: field, reason, errors.
             *     - `invalid_path`: The path is not in its canonical form.
             */
            400: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        details?: {
                            /** @description Every problem of the script, or the first 20 wrong fields of the body when there are several. */
                            errors?: {
                                callIndex?: number | null;
                                /**
                                 * @description A code of the language, or one of the platform: `SECRET_HOST_NOT_ALLOWED` (a secret would be sent to a host that is not among its `allowedHosts`), `HOST_HEADER_TWICE`, `HOST_HEADER_DIFFERS`. For a field of the body, the error code.
                                 * @example SECRET_HOST_NOT_ALLOWED
                                 */
                                code: string;
                                /** @description From 1. */
                                column?: number | null;
                                detail?: string | null;
                                field?: string | null;
                                /** @description From 1. */
                                line?: number | null;
                                /** @description What is wrong with the field of the body, in words for people. */
                                reason?: string;
                            }[];
                            /** @description The parameter or body field that the error is about. */
                            field?: string;
                            /** @description What is wrong with the field, in words for people. */
                            reason?: string;
                        };
                        /** @description The address of the code in the guide. */
                        doc: string;
                        /** @description A stable code. Codes can be added: treat an unknown code as a general failure. */
                        error: ("invalid_uuid" | "invalid_request_body" | "invalid_path") | string;
                        /** @description What to do, in one sentence for people. The text can change. */
                        message: string;
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Error403ApiKeyReadOnlyTotpEnrollmentRequired"];
            404: components["responses"]["Error404NotFound"];
            409: components["responses"]["Error409AlreadyExists"];
            413: components["responses"]["Error413RequestBodyTooLarge"];
            429: components["responses"]["Error429RateLimitedTooManyUnknownKeys"];
            500: components["responses"]["Error500InternalError"];
            503: components["responses"]["Error503ServiceUnavailable"];
        };
    };
    getWorkspaceMetrics: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServiceMetrics"];
                };
            };
            /** @description There is no content. */
            204: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /**
             * @description - `invalid_uuid`: An id is not a UUID. Details: field, errors.
             *     - `invalid_path`: The path is not in its canonical form.
             */
            400: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        details?: {
                            /** @description Every problem of the script, or the first 20 wrong fields of the body when there are several. */
                            errors?: {
                                callIndex?: number | null;
                                /**
                                 * @description A code of the language, or one of the platform: `SECRET_HOST_NOT_ALLOWED` (a secret would be sent to a host that is not among its `allowedHosts`), `HOST_HEADER_TWICE`, `HOST_HEADER_DIFFERS`. For a field of the body, the error code.
                                 * @example SECRET_HOST_NOT_ALLOWED
                                 */
                                code: string;
                                /** @description From 1. */
                                column?: number | null;
                                detail?: string | null;
                                field?: string | null;
                                /** @description From 1. */
                                line?: number | null;
                                /** @description What is wrong with the field of the body, in words for people. */
                                reason?: string;
                            }[];
                            /** @description The parameter or body field that the error is about. */
                            field?: string;
                        };
                        /** @description The address of the code in the guide. */
                        doc: string;
                        /** @description A stable code. Codes can be added: treat an unknown code as a general failure. */
                        error: ("invalid_uuid" | "invalid_path") | string;
                        /** @description What to do, in one sentence for people. The text can change. */
                        message: string;
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Error403TotpEnrollmentRequired"];
            404: components["responses"]["Error404NotFound"];
            429: components["responses"]["Error429RateLimitedTooManyUnknownKeys"];
            500: components["responses"]["Error500InternalError"];
            503: components["responses"]["Error503ServiceUnavailable"];
        };
    };
    getWorkspaceMetricsHistory: {
        parameters: {
            query?: {
                hours?: number;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HourlyBucket"][];
                };
            };
            /**
             * @description - `field_invalid`: A parameter or a checked value is not accepted. Details: field, reason, max.
             *     - `invalid_uuid`: An id is not a UUID. Details: field, errors.
             *     - `invalid_path`: The path is not in its canonical form.
             */
            400: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        details?: {
                            /** @description Every problem of the script, or the first 20 wrong fields of the body when there are several. */
                            errors?: {
                                callIndex?: number | null;
                                /**
                                 * @description A code of the language, or one of the platform: `SECRET_HOST_NOT_ALLOWED` (a secret would be sent to a host that is not among its `allowedHosts`), `HOST_HEADER_TWICE`, `HOST_HEADER_DIFFERS`. For a field of the body, the error code.
                                 * @example SECRET_HOST_NOT_ALLOWED
                                 */
                                code: string;
                                /** @description From 1. */
                                column?: number | null;
                                detail?: string | null;
                                field?: string | null;
                                /** @description From 1. */
                                line?: number | null;
                                /** @description What is wrong with the field of the body, in words for people. */
                                reason?: string;
                            }[];
                            /** @description The parameter or body field that the error is about. */
                            field?: string;
                            /** @description The upper bound. */
                            max?: number;
                            /** @description What is wrong with the field, in words for people. */
                            reason?: string;
                        };
                        /** @description The address of the code in the guide. */
                        doc: string;
                        /** @description A stable code. Codes can be added: treat an unknown code as a general failure. */
                        error: ("field_invalid" | "invalid_uuid" | "invalid_path") | string;
                        /** @description What to do, in one sentence for people. The text can change. */
                        message: string;
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Error403TotpEnrollmentRequired"];
            404: components["responses"]["Error404NotFound"];
            429: components["responses"]["Error429RateLimitedTooManyUnknownKeys"];
            500: components["responses"]["Error500InternalError"];
            503: components["responses"]["Error503ServiceUnavailable"];
        };
    };
    toggleWorkspaceServices: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    isActive: boolean;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ToggleResult"];
                };
            };
            /**
             * @description - `invalid_uuid`: An id is not a UUID. Details: field, errors.
             *     - `invalid_request_body`: The body is not a JSON object, or one of its fields is not accepted. Details: field, reason, errors.
             *     - `invalid_path`: The path is not in its canonical form.
             */
            400: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        details?: {
                            /** @description Every problem of the script, or the first 20 wrong fields of the body when there are several. */
                            errors?: {
                                callIndex?: number | null;
                                /**
                                 * @description A code of the language, or one of the platform: `SECRET_HOST_NOT_ALLOWED` (a secret would be sent to a host that is not among its `allowedHosts`), `HOST_HEADER_TWICE`, `HOST_HEADER_DIFFERS`. For a field of the body, the error code.
                                 * @example SECRET_HOST_NOT_ALLOWED
                                 */
                                code: string;
                                /** @description From 1. */
                                column?: number | null;
                                detail?: string | null;
                                field?: string | null;
                                /** @description From 1. */
                                line?: number | null;
                                /** @description What is wrong with the field of the body, in words for people. */
                                reason?: string;
                            }[];
                            /** @description The parameter or body field that the error is about. */
                            field?: string;
                            /** @description What is wrong with the field, in words for people. */
                            reason?: string;
                        };
                        /** @description The address of the code in the guide. */
                        doc: string;
                        /** @description A stable code. Codes can be added: treat an unknown code as a general failure. */
                        error: ("invalid_uuid" | "invalid_request_body" | "invalid_path") | string;
                        /** @description What to do, in one sentence for people. The text can change. */
                        message: string;
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Error403ApiKeyReadOnlyTotpEnrollmentRequired"];
            404: components["responses"]["Error404NotFound"];
            413: components["responses"]["Error413RequestBodyTooLarge"];
            429: components["responses"]["Error429RateLimitedTooManyUnknownKeys"];
            500: components["responses"]["Error500InternalError"];
            503: components["responses"]["Error503ServiceUnavailable"];
        };
    };
    listWorkspaceVariables: {
        parameters: {
            query?: {
                page?: number;
                pageSize?: number;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VariablePage"];
                };
            };
            /**
             * @description - `field_invalid`: A parameter or a checked value is not accepted. Details: field, reason, max.
             *     - `invalid_uuid`: An id is not a UUID. Details: field, errors.
             *     - `invalid_path`: The path is not in its canonical form.
             */
            400: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        details?: {
                            /** @description Every problem of the script, or the first 20 wrong fields of the body when there are several. */
                            errors?: {
                                callIndex?: number | null;
                                /**
                                 * @description A code of the language, or one of the platform: `SECRET_HOST_NOT_ALLOWED` (a secret would be sent to a host that is not among its `allowedHosts`), `HOST_HEADER_TWICE`, `HOST_HEADER_DIFFERS`. For a field of the body, the error code.
                                 * @example SECRET_HOST_NOT_ALLOWED
                                 */
                                code: string;
                                /** @description From 1. */
                                column?: number | null;
                                detail?: string | null;
                                field?: string | null;
                                /** @description From 1. */
                                line?: number | null;
                                /** @description What is wrong with the field of the body, in words for people. */
                                reason?: string;
                            }[];
                            /** @description The parameter or body field that the error is about. */
                            field?: string;
                            /** @description The upper bound. */
                            max?: number;
                            /** @description What is wrong with the field, in words for people. */
                            reason?: string;
                        };
                        /** @description The address of the code in the guide. */
                        doc: string;
                        /** @description A stable code. Codes can be added: treat an unknown code as a general failure. */
                        error: ("field_invalid" | "invalid_uuid" | "invalid_path") | string;
                        /** @description What to do, in one sentence for people. The text can change. */
                        message: string;
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Error403TotpEnrollmentRequired"];
            404: components["responses"]["Error404NotFound"];
            429: components["responses"]["Error429RateLimitedTooManyUnknownKeys"];
            500: components["responses"]["Error500InternalError"];
            503: components["responses"]["Error503ServiceUnavailable"];
        };
    };
    createWorkspaceVariable: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description The hosts that a secret may be sent to: `api.example.com`, or `*.example.com` for all its subdomains, each optionally with a port. Empty for any host. Must be empty unless the type is secret.
                     * @example [
                     *       "api.example.com",
                     *       "*.example.net:8443"
                     *     ]
                     */
                    allowedHosts?: string[];
                    key: string;
                    /**
                     * @default variable
                     * @enum {string}
                     */
                    type?: "variable" | "secret" | "metric";
                    value: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Variable"];
                };
            };
            /**
             * @description - `field_invalid`: A parameter or a checked value is not accepted. Details: field, reason, max.
             *     - `invalid_uuid`: An id is not a UUID. Details: field, errors.
             *     - `invalid_request_body`: The body is not a JSON object, or one of its fields is not accepted. Details: field, reason, errors.
             *     - `invalid_path`: The path is not in its canonical form.
             *     - `variable_limit_reached`: The scope has reached its limit of variables. Details: max.
             *     - `reserved_key`: The key is the name of a computed variable of the scope. Details: key.
             */
            400: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        details?: {
                            /** @description Every problem of the script, or the first 20 wrong fields of the body when there are several. */
                            errors?: {
                                callIndex?: number | null;
                                /**
                                 * @description A code of the language, or one of the platform: `SECRET_HOST_NOT_ALLOWED` (a secret would be sent to a host that is not among its `allowedHosts`), `HOST_HEADER_TWICE`, `HOST_HEADER_DIFFERS`. For a field of the body, the error code.
                                 * @example SECRET_HOST_NOT_ALLOWED
                                 */
                                code: string;
                                /** @description From 1. */
                                column?: number | null;
                                detail?: string | null;
                                field?: string | null;
                                /** @description From 1. */
                                line?: number | null;
                                /** @description What is wrong with the field of the body, in words for people. */
                                reason?: string;
                            }[];
                            /** @description The parameter or body field that the error is about. */
                            field?: string;
                            /** @description The key of the variable. */
                            key?: string;
                            /** @description The upper bound. */
                            max?: number;
                            /** @description What is wrong with the field, in words for people. */
                            reason?: string;
                        };
                        /** @description The address of the code in the guide. */
                        doc: string;
                        /** @description A stable code. Codes can be added: treat an unknown code as a general failure. */
                        error: ("field_invalid" | "invalid_uuid" | "invalid_request_body" | "invalid_path" | "variable_limit_reached" | "reserved_key") | string;
                        /** @description What to do, in one sentence for people. The text can change. */
                        message: string;
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Error403ApiKeyReadOnlyTotpEnrollmentRequired"];
            404: components["responses"]["Error404NotFound"];
            409: components["responses"]["Error409AlreadyExists"];
            413: components["responses"]["Error413RequestBodyTooLarge"];
            429: components["responses"]["Error429RateLimitedTooManyUnknownKeys"];
            500: components["responses"]["Error500InternalError"];
            503: components["responses"]["Error503ServiceUnavailable"];
        };
    };
    deleteWorkspaceVariable: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                varId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Ok"];
                };
            };
            /**
             * @description - `invalid_uuid`: An id is not a UUID. Details: field, errors.
             *     - `invalid_request_body`: The body is not a JSON object, or one of its fields is not accepted. Details: field, reason, errors.
             *     - `invalid_path`: The path is not in its canonical form.
             *     - `system_variable`: Soundline creates this variable for every service; it cannot be deleted. Details: key.
             */
            400: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        details?: {
                            /** @description Every problem of the script, or the first 20 wrong fields of the body when there are several. */
                            errors?: {
                                callIndex?: number | null;
                                /**
                                 * @description A code of the language, or one of the platform: `SECRET_HOST_NOT_ALLOWED` (a secret would be sent to a host that is not among its `allowedHosts`), `HOST_HEADER_TWICE`, `HOST_HEADER_DIFFERS`. For a field of the body, the error code.
                                 * @example SECRET_HOST_NOT_ALLOWED
                                 */
                                code: string;
                                /** @description From 1. */
                                column?: number | null;
                                detail?: string | null;
                                field?: string | null;
                                /** @description From 1. */
                                line?: number | null;
                                /** @description What is wrong with the field of the body, in words for people. */
                                reason?: string;
                            }[];
                            /** @description The parameter or body field that the error is about. */
                            field?: string;
                            /** @description The key of the variable. */
                            key?: string;
                            /** @description What is wrong with the field, in words for people. */
                            reason?: string;
                        };
                        /** @description The address of the code in the guide. */
                        doc: string;
                        /** @description A stable code. Codes can be added: treat an unknown code as a general failure. */
                        error: ("invalid_uuid" | "invalid_request_body" | "invalid_path" | "system_variable") | string;
                        /** @description What to do, in one sentence for people. The text can change. */
                        message: string;
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Error403ApiKeyReadOnlyTotpEnrollmentRequired"];
            404: components["responses"]["Error404NotFound"];
            413: components["responses"]["Error413RequestBodyTooLarge"];
            429: components["responses"]["Error429RateLimitedTooManyUnknownKeys"];
            500: components["responses"]["Error500InternalError"];
            503: components["responses"]["Error503ServiceUnavailable"];
        };
    };
    updateWorkspaceVariable: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                varId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description The hosts that a secret may be sent to: `api.example.com`, or `*.example.com` for all its subdomains, each optionally with a port. Empty for any host. Must be empty unless the type is secret.
                     * @example [
                     *       "api.example.com",
                     *       "*.example.net:8443"
                     *     ]
                     */
                    allowedHosts?: string[];
                    value: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Variable"];
                };
            };
            /**
             * @description - `field_invalid`: A parameter or a checked value is not accepted. Details: field, reason, max.
             *     - `invalid_uuid`: An id is not a UUID. Details: field, errors.
             *     - `invalid_request_body`: The body is not a JSON object, or one of its fields is not accepted. Details: field, reason, errors.
             *     - `invalid_path`: The path is not in its canonical form.
             *     - `readonly_variable`: Only scripts can write this variable. Details: key.
             */
            400: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        details?: {
                            /** @description Every problem of the script, or the first 20 wrong fields of the body when there are several. */
                            errors?: {
                                callIndex?: number | null;
                                /**
                                 * @description A code of the language, or one of the platform: `SECRET_HOST_NOT_ALLOWED` (a secret would be sent to a host that is not among its `allowedHosts`), `HOST_HEADER_TWICE`, `HOST_HEADER_DIFFERS`. For a field of the body, the error code.
                                 * @example SECRET_HOST_NOT_ALLOWED
                                 */
                                code: string;
                                /** @description From 1. */
                                column?: number | null;
                                detail?: string | null;
                                field?: string | null;
                                /** @description From 1. */
                                line?: number | null;
                                /** @description What is wrong with the field of the body, in words for people. */
                                reason?: string;
                            }[];
                            /** @description The parameter or body field that the error is about. */
                            field?: string;
                            /** @description The key of the variable. */
                            key?: string;
                            /** @description The upper bound. */
                            max?: number;
                            /** @description What is wrong with the field, in words for people. */
                            reason?: string;
                        };
                        /** @description The address of the code in the guide. */
                        doc: string;
                        /** @description A stable code. Codes can be added: treat an unknown code as a general failure. */
                        error: ("field_invalid" | "invalid_uuid" | "invalid_request_body" | "invalid_path" | "readonly_variable") | string;
                        /** @description What to do, in one sentence for people. The text can change. */
                        message: string;
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Error403ApiKeyReadOnlyTotpEnrollmentRequired"];
            404: components["responses"]["Error404NotFound"];
            413: components["responses"]["Error413RequestBodyTooLarge"];
            429: components["responses"]["Error429RateLimitedTooManyUnknownKeys"];
            500: components["responses"]["Error500InternalError"];
            503: components["responses"]["Error503ServiceUnavailable"];
        };
    };
    getWorkspaceVariableHierarchy: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VariableHierarchy"];
                };
            };
            /**
             * @description - `invalid_uuid`: An id is not a UUID. Details: field, errors.
             *     - `invalid_path`: The path is not in its canonical form.
             */
            400: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        details?: {
                            /** @description Every problem of the script, or the first 20 wrong fields of the body when there are several. */
                            errors?: {
                                callIndex?: number | null;
                                /**
                                 * @description A code of the language, or one of the platform: `SECRET_HOST_NOT_ALLOWED` (a secret would be sent to a host that is not among its `allowedHosts`), `HOST_HEADER_TWICE`, `HOST_HEADER_DIFFERS`. For a field of the body, the error code.
                                 * @example SECRET_HOST_NOT_ALLOWED
                                 */
                                code: string;
                                /** @description From 1. */
                                column?: number | null;
                                detail?: string | null;
                                field?: string | null;
                                /** @description From 1. */
                                line?: number | null;
                                /** @description What is wrong with the field of the body, in words for people. */
                                reason?: string;
                            }[];
                            /** @description The parameter or body field that the error is about. */
                            field?: string;
                        };
                        /** @description The address of the code in the guide. */
                        doc: string;
                        /** @description A stable code. Codes can be added: treat an unknown code as a general failure. */
                        error: ("invalid_uuid" | "invalid_path") | string;
                        /** @description What to do, in one sentence for people. The text can change. */
                        message: string;
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Error403TotpEnrollmentRequired"];
            404: components["responses"]["Error404NotFound"];
            429: components["responses"]["Error429RateLimitedTooManyUnknownKeys"];
            500: components["responses"]["Error500InternalError"];
            503: components["responses"]["Error503ServiceUnavailable"];
        };
    };
}

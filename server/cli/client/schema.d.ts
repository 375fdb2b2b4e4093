// Generated from the OpenAPI document; do not edit.

export interface paths {
    "/api/public/v1/access/{resourceType}/{resourceId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the grants on a resource
         * @description The grants of members and groups on this resource itself, by name.
         *
         *     Permission: Write on the workspace, the project or the service.
         */
        get: operations["listAccess"];
        /**
         * Grant access to a resource, or change the level
         * @description The level also counts for everything in the resource.
         *
         *     Permission: Write on the workspace, the project or the service.
         */
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
        /**
         * Remove a grant on a resource
         * @description Grants above or below it stay.
         *
         *     Permission: Write on the workspace, the project or the service.
         */
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
        /**
         * List the agents that services may run on
         * @description The agents of the installation and of the organization that are switched on, by slug. `getAgentHealth` returns the state of one.
         *
         *     Permission: Any key.
         */
        get: operations["listAgents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/public/v1/agents/{id}/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the current state of an agent
         * @description Whether the agent is switched on and connected, and the releases, load, clock and address of its running processes. `listAgents` returns the ids.
         *
         *     Permission: Read on Settings.
         */
        get: operations["getAgentHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/public/v1/agents/{id}/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the last 30 days of an agent
         * @description Uptime, load and finished runs of its processes, by the hour. For a shared agent, the numbers of runs cover all organizations, and only the organization of the operator gets them.
         *
         *     Permission: Read on Settings.
         */
        get: operations["getAgentHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/public/v1/batches/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a batch of runs, and wait for its end
         * @description Sums up the runs that one request asked for. With `wait`, the response is sent when all of them are done.
         *
         *     Permission: The project or workspace of the batch, visible by name.
         */
        get: operations["getBatch"];
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
        /**
         * List the groups
         * @description Ordered by name.
         *
         *     Permission: Read on Users.
         */
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
        /**
         * List the incidents, open ones first, newest first
         * @description The incidents of services that the caller can read. At most one of `serviceId`, `projectId` and `workspaceId` may be given.
         *
         *     Permission: The workspace, the project or the service, visible by name.
         */
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
        /**
         * Get an incident with its notes and timeline
         * @description What failed and since when, what each agent sees, and who was notified.
         *
         *     Permission: Read on the service of the incident.
         */
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
        /**
         * Acknowledge an incident, which stops its reminders
         * @description The first acknowledgement stays: a later one changes nothing.
         *
         *     Permission: Write on the service of the incident.
         */
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
        /**
         * Add a note to an incident
         * @description An incident has at most 500 notes.
         *
         *     Permission: Write on the service of the incident.
         */
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
        /**
         * Describe the calling key
         * @description The member, organization, access level and expiry of the key. Call it first to check that a key works.
         *
         *     Permission: Any key.
         */
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
        /**
         * List the members
         * @description Ordered by display name; invitations are not listed.
         *
         *     Permission: Read on Users.
         */
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
        /**
         * List the projects of a workspace
         * @description The projects of the workspace that the caller can see, oldest first.
         *
         *     Permission: The workspace, visible by name.
         */
        get: operations["listProjects"];
        put?: never;
        /**
         * Create a project
         * @description The name must be unique in it.
         *
         *     Permission: Write on the workspace.
         */
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
        /**
         * Get a project
         * @description One project that the caller can see, with the metrics of its services.
         *
         *     Permission: The project, visible by name.
         */
        get: operations["getProject"];
        put?: never;
        post?: never;
        /**
         * Delete a project with its services
         * @description Deletes its services, results, variables, grants and bindings too. For seven days it can be restored in the dashboard.
         *
         *     Permission: Write on the project.
         */
        delete: operations["deleteProject"];
        options?: never;
        head?: never;
        /**
         * Rename a project
         * @description The name must be unique in its workspace.
         *
         *     Permission: Write on the project.
         */
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
        /**
         * Read the metrics of a project
         * @description Sums over the services that the caller can see, with their number. 204 before the first run.
         *
         *     Permission: The project, visible by name.
         */
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
        /**
         * Read a project's runs by hour
         * @description Sums over the services that the caller can see: one entry per hour, oldest first; hours without runs are present.
         *
         *     Permission: The project, visible by name.
         */
        get: operations["getProjectMetricsHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/public/v1/projects/{id}/run": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Request a run of each service of a project
         * @description Requests a run of each service that the request selects and the caller may change. Services that are switched off or have no script are listed with the reason. A batch has at most 500 services.
         *
         *     Permission: Write on the project.
         */
        post: operations["runProject"];
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
        /**
         * Switch every service of a project on or off
         * @description Switches all services in one transaction. A service that cannot be switched on, for example one without a script, is skipped and listed with its reason.
         *
         *     Permission: Write on the project.
         */
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
        /**
         * List the variables of a project
         * @description The variables of this scope itself, oldest first. Only values of metrics are shown.
         *
         *     Permission: Read on the project.
         */
        get: operations["listProjectVariables"];
        put?: never;
        /**
         * Create a variable of a project
         * @description The key must be unique in the scope. The value of a variable or a secret cannot be read again.
         *
         *     Permission: Write on the project.
         */
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
        /**
         * Delete a variable of a project
         * @description Scripts that read it get null from then on.
         *
         *     Permission: Write on the project.
         */
        delete: operations["deleteProjectVariable"];
        options?: never;
        head?: never;
        /**
         * Change a variable of a project
         * @description Changes the value, and with `allowedHosts` the hosts that a secret may be sent to. The mask is refused as a value.
         *
         *     Permission: Write on the project.
         */
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
        /**
         * Read every variable that scripts of a project can use
         * @description All scopes from the resource up to the organization, each with its computed variables. Only values of metrics are shown.
         *
         *     Permission: Read on the project.
         */
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
        /**
         * List the services of a project
         * @description The services of the project that the caller can see, oldest first, with their metrics and the failures of their latest failed run.
         *
         *     Permission: The project, visible by name.
         */
        get: operations["listServices"];
        put?: never;
        /**
         * Create a service
         * @description With a script, the service is switched on unless `isActive` is false; if the script or the switch is refused, nothing is created. Without a script, it stays off until one is saved.
         *
         *     Permission: Write on the project.
         */
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
        /**
         * Get a service
         * @description One service with its script, state, metrics and certificates.
         *
         *     Permission: Read on the service.
         */
        get: operations["getService"];
        put?: never;
        post?: never;
        /**
         * Delete a service with its results
         * @description For seven days it can be restored in the dashboard.
         *
         *     Permission: Write on the service.
         */
        delete: operations["deleteService"];
        options?: never;
        head?: never;
        /**
         * Change a service; omitted fields keep their values
         * @description A script needs `version`, the version that it replaces: another version gives `version_conflict`, so that two writers cannot overwrite each other.
         *
         *     Permission: Write on the service.
         */
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
        /**
         * Get the agents a service may run on; an empty array means any shared agent
         * @description The slugs that `setServiceAgents` stored, in alphabetical order. An empty array means that any agent which all organizations share may run the service; an agent of the organization runs only services that name it.
         *
         *     Permission: Read on the service.
         */
        get: operations["getServiceAgents"];
        /**
         * Set the agents a service may run on; an empty array means any shared agent
         * @description Replaces the list. An empty array means that any agent which all organizations share may run the service; an agent of the organization runs only services that name it. Agents that are switched off are refused, those that the service names already too. While the service is on, its script is judged again: remote agents may reach other private networks than the installation.
         *
         *     Permission: Write on the service.
         */
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
        /**
         * Read who would be notified if the service failed now
         * @description The members and webhooks that would be notified, each with the reasons, and the silences that would suppress mails.
         *
         *     Permission: Read on the service.
         */
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
        /**
         * Read the metrics of a service
         * @description Counters since the service was created, the latest run, and the percentiles of the last 24 hours. 204 before the first run.
         *
         *     Permission: Read on the service.
         */
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
        /**
         * Read a service's runs by hour
         * @description One entry per hour, oldest first; hours without runs are present.
         *
         *     Permission: Read on the service.
         */
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
        /**
         * Read latencies and uptime over time, by agent and by endpoint
         * @description Whole hours or days, the last of which is the current one: percentiles and uptime of all runs, per agent, and per endpoint beside the previous window.
         *
         *     Permission: Read on the service.
         */
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
        /**
         * Read how often each assertion failed
         * @description Which checks fail most: each assertion that failed in the window, with how often it was checked.
         *
         *     Permission: Read on the service.
         */
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
        /**
         * Read calls and latencies of each endpoint over time
         * @description The series behind `endpoints` of the statistics: one point per bucket, for all endpoints together and for each.
         *
         *     Permission: Read on the service.
         */
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
        /**
         * Read failed runs by weekday and hour of day
         * @description Shows at which hours a service tends to fail. Weekdays and hours are in UTC.
         *
         *     Permission: Read on the service.
         */
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
        /**
         * List the results of a service, newest first
         * @description Summaries of runs, newest first. `since` finds the run that a request started.
         *
         *     Permission: Read on the service.
         */
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
        /**
         * Get one result with all its steps
         * @description What the run did and what failed: each call with its timings, headers and assertions. The bodies of responses are read separately.
         *
         *     Permission: Read on the service.
         */
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
        /**
         * Get the stored response body of a step
         * @description Up to 4 MiB, as text or in base64. 204 when the step has no stored body, see `hasBody`.
         *
         *     Permission: Read on the service.
         */
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
        /**
         * Request a run now
         * @description The run waits for one in flight. A request without values joins a run that waits for the one in flight, or an earlier request that no agent has started; one with values joins only a run with the same values and note.
         *
         *     Permission: Write on the service.
         */
        post: operations["runService"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/public/v1/services/{id}/runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the runs of a service, open ones first, newest first
         * @description Shows the runs that are not done, and those of the newest 1000 results; the list of results reaches further back. With `cause=request`, it also shows the newest 1000 requested runs, which may be older.
         *
         *     Permission: Read on the service.
         */
        get: operations["listRuns"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/public/v1/services/{id}/runs/{runId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a run with the results of its agents, and wait for its end
         * @description Shows the run while it is queued, while it runs, and as long as its results are kept. It also shows scheduled runs.
         *
         *     Permission: Read on the service.
         */
        get: operations["getRun"];
        put?: never;
        post?: never;
        /**
         * Cancel the parts of a run that have not started
         * @description Agents that have started the run finish it. A run that several requests share is cancelled for all of them.
         *
         *     Permission: Write on the service.
         */
        delete: operations["cancelRun"];
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
        /**
         * Save the script of a service; the first one switches it on
         * @description The script is validated before it is saved, and `version` must be the current one. The first script switches the service on; if that is refused, the script is saved and the service stays off.
         *
         *     Permission: Write on the service.
         */
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
        /**
         * Get a service and its most recent runs in one read
         * @description For status displays: the service as `getService` returns it, with summaries of its latest runs.
         *
         *     Permission: Read on the service.
         */
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
        /**
         * Switch a service on or off
         * @description Switching on requires a script that validates. A switched-off service has no scheduled runs and keeps its results.
         *
         *     Permission: Write on the service.
         */
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
        /**
         * List the variables of a service
         * @description The variables of this scope itself, oldest first. Only values of metrics are shown.
         *
         *     Permission: Read on the service.
         */
        get: operations["listServiceVariables"];
        put?: never;
        /**
         * Create a variable of a service
         * @description The key must be unique in the scope. The value of a variable or a secret cannot be read again.
         *
         *     Permission: Write on the service.
         */
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
        /**
         * Delete a variable of a service
         * @description Scripts that read it get null from then on.
         *
         *     Permission: Write on the service.
         */
        delete: operations["deleteServiceVariable"];
        options?: never;
        head?: never;
        /**
         * Change a variable of a service
         * @description Changes the value, and with `allowedHosts` the hosts that a secret may be sent to. The mask is refused as a value.
         *
         *     Permission: Write on the service.
         */
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
        /**
         * Read every variable that scripts of a service can use
         * @description All scopes from the resource up to the organization, each with its computed variables. Only values of metrics are shown.
         *
         *     Permission: Read on the service.
         */
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
        /**
         * List the caller's silences
         * @description The silences of the key's own member. Other members' silences are never shown.
         *
         *     Permission: Any key.
         */
        get: operations["listSilences"];
        put?: never;
        /**
         * Create a silence
         * @description Suppresses notifications to the key's member, for one resource or for everything. A member has at most 200 silences.
         *
         *     Permission: The workspace, the project or the service, visible by name.
         */
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
        /**
         * Get a silence
         * @description One silence of the key's own member.
         *
         *     Permission: Your own silence.
         */
        get: operations["getSilence"];
        put?: never;
        post?: never;
        /**
         * Delete a silence
         * @description From then on, notifications that it suppressed are sent.
         *
         *     Permission: Your own silence.
         */
        delete: operations["deleteSilence"];
        options?: never;
        head?: never;
        /**
         * Change a silence
         * @description Omitted fields keep their values; null clears `config` or `quietHours`.
         *
         *     Permission: Your own silence.
         */
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
        /**
         * List the variables
         * @description The variables of this scope itself, oldest first. Only values of metrics are shown.
         *
         *     Permission: Read on Settings.
         */
        get: operations["listOrganizationVariables"];
        put?: never;
        /**
         * Create a variable
         * @description The key must be unique in the scope. The value of a variable or a secret cannot be read again.
         *
         *     Permission: Write on Settings.
         */
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
        /**
         * Delete a variable
         * @description Scripts that read it get null from then on.
         *
         *     Permission: Write on Settings.
         */
        delete: operations["deleteOrganizationVariable"];
        options?: never;
        head?: never;
        /**
         * Change a variable
         * @description Changes the value, and with `allowedHosts` the hosts that a secret may be sent to. The mask is refused as a value.
         *
         *     Permission: Write on Settings.
         */
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
        /**
         * List the webhooks
         * @description Webhooks are created and edited in the dashboard only.
         *
         *     Permission: Read on Webhooks.
         */
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
        /**
         * List the webhooks bound to a resource
         * @description Lists the bindings of this resource itself, oldest first.
         *
         *     Permission: Read on Webhooks, and read on the workspace, the project or the service.
         */
        get: operations["listWebhookBindings"];
        put?: never;
        /**
         * Bind a webhook to a resource
         * @description The webhook gets the events of the resource and everything in it.
         *
         *     Permission: Write on Webhooks, and write on the workspace, the project or the service.
         */
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
        /**
         * Unbind a webhook from a resource
         * @description The webhook itself stays.
         *
         *     Permission: Write on Webhooks.
         */
        delete: operations["deleteWebhookBinding"];
        options?: never;
        head?: never;
        /**
         * Pause or resume a webhook binding
         * @description A paused binding sends nothing.
         *
         *     Permission: Write on Webhooks.
         */
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
        /**
         * List workspaces
         * @description The workspaces that the caller can see, oldest first.
         *
         *     Permission: Any key.
         */
        get: operations["listWorkspaces"];
        put?: never;
        /**
         * Create a workspace
         * @description The name must be unique in the organization. The caller gets write on the new workspace.
         *
         *     Permission: Write on Workspaces.
         */
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
        /**
         * Get a workspace
         * @description One workspace that the caller can see.
         *
         *     Permission: The workspace, visible by name.
         */
        get: operations["getWorkspace"];
        put?: never;
        post?: never;
        /**
         * Delete a workspace with everything in it
         * @description Deletes its projects, services, results, variables, grants and bindings too. It cannot be restored.
         *
         *     Permission: Write on the workspace.
         */
        delete: operations["deleteWorkspace"];
        options?: never;
        head?: never;
        /**
         * Rename a workspace
         * @description The name must be unique in the organization.
         *
         *     Permission: Write on the workspace.
         */
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
        /**
         * Read the metrics of a workspace
         * @description Sums over the services that the caller can see, with the numbers of projects and services. 204 before the first run.
         *
         *     Permission: The workspace, visible by name.
         */
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
        /**
         * Read a workspace's runs by hour
         * @description Sums over the services that the caller can see: one entry per hour, oldest first; hours without runs are present.
         *
         *     Permission: The workspace, visible by name.
         */
        get: operations["getWorkspaceMetricsHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/public/v1/workspaces/{id}/run": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Request a run of each service of a workspace
         * @description Requests a run of each service that the request selects and the caller may change. Services that are switched off or have no script are listed with the reason. A batch has at most 500 services.
         *
         *     Permission: Write on the workspace.
         */
        post: operations["runWorkspace"];
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
        /**
         * Switch every service of a workspace on or off
         * @description Switches all services in one transaction. A service that cannot be switched on, for example one without a script, is skipped and listed with its reason.
         *
         *     Permission: Write on the workspace.
         */
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
        /**
         * List the variables of a workspace
         * @description The variables of this scope itself, oldest first. Only values of metrics are shown.
         *
         *     Permission: Read on the workspace.
         */
        get: operations["listWorkspaceVariables"];
        put?: never;
        /**
         * Create a variable of a workspace
         * @description The key must be unique in the scope. The value of a variable or a secret cannot be read again.
         *
         *     Permission: Write on the workspace.
         */
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
        /**
         * Delete a variable of a workspace
         * @description Scripts that read it get null from then on.
         *
         *     Permission: Write on the workspace.
         */
        delete: operations["deleteWorkspaceVariable"];
        options?: never;
        head?: never;
        /**
         * Change a variable of a workspace
         * @description Changes the value, and with `allowedHosts` the hosts that a secret may be sent to. The mask is refused as a value.
         *
         *     Permission: Write on the workspace.
         */
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
        /**
         * Read every variable that scripts of a workspace can use
         * @description All scopes from the resource up to the organization, each with its computed variables. Only values of metrics are shown.
         *
         *     Permission: Read on the workspace.
         */
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
            /**
             * @description For users only.
             * @example ada@example.com
             */
            email?: string;
            /**
             * @description The name of the member or the group.
             * @example Ada Lovelace
             */
            name: string;
            /**
             * @description 1 read, 2 write.
             * @example 2
             */
            permissions: number;
            /**
             * Format: uuid
             * @description The `userId` of a member, or the id of a group.
             * @example 019aa0e0-0202-7abc-8def-0123456789ab
             */
            principalId: string;
            /**
             * @description What gets the level: a member (`user`) or a `group`.
             * @example user
             */
            principalType: ("user" | "group") | string;
        };
        /** @description The body of `POST /incidents/{id}/notes`. */
        AddIncidentNoteRequest: {
            /**
             * @description The text. Trimmed; it can have several lines.
             * @example The payment provider is down.
             */
            text: string;
        };
        /** @description A location that probes run from. */
        Agent: {
            /**
             * Format: uuid
             * @description The id of the agent.
             * @example 019aa0f4-1111-7aaa-8bbb-2c3d4e5f6a7b
             */
            id: string;
            /**
             * @description Whether all organizations of the installation may use it.
             * @example false
             */
            isShared: boolean;
            /**
             * @description Who runs its processes: the operator of the installation, or the person who enrolled it with a token.
             * @example remote
             */
            kind: ("in-house" | "remote") | string;
            /**
             * @description The name for people.
             * @example Frankfurt, Germany
             */
            label: string;
            /**
             * @description The short name that requests and results use.
             * @example frankfurt
             */
            slug: string;
        };
        /** @description The state and the load of an agent now. */
        AgentHealth: {
            /**
             * @description The address that its newest process connects from. Null for shared agents and for workers of the installation.
             * @example 203.0.113.7
             */
            address: string | null;
            /**
             * @description The capacity and load of its processes together; null while no process reports them.
             * @example {
             *       "slots": 500,
             *       "busy": 12
             *     }
             */
            capacity: {
                /**
                 * @description Runs at the last heartbeat.
                 * @example 12
                 */
                busy: number;
                /**
                 * @description The most runs at the same time.
                 * @example 500
                 */
                slots: number;
            } | null;
            /**
             * @description How many milliseconds the clock of a remote agent is ahead. Times of results are corrected. Null for workers of the installation.
             * @example -42
             */
            clockOffsetMs: number | null;
            /**
             * Format: uuid
             * @description The id of the agent.
             * @example 019aa0f4-1111-7aaa-8bbb-2c3d4e5f6a7b
             */
            id: string;
            /**
             * @description Whether it is switched on for the organization. Services cannot name one that is not.
             * @example true
             */
            isActive: boolean;
            /**
             * @description Whether one of its processes is running and connected.
             * @example true
             */
            isAlive: boolean;
            /**
             * Format: date-time
             * @description When it was last connected; null if it never was.
             * @example 2026-11-20T12:29:58.000Z
             */
            lastSeenAt: string | null;
            /**
             * @description Event loop lag of its slowest process, in milliseconds; grows when a machine is overloaded.
             * @example 3
             */
            latenessMs: number | null;
            /**
             * @description Share of its machine's processor time that its busiest process uses, 0 to 1.
             * @example 0.07
             */
            load: number | null;
            /**
             * @description How many of its processes are running.
             * @example 2
             */
            processes: number;
            /**
             * @description The slug of the agent.
             * @example frankfurt
             */
            slug: string;
            /**
             * @description The release of its newest process; null without one.
             * @example 0.4.50
             */
            version: string | null;
            /**
             * @description The releases that its processes run, the oldest process first.
             * @example [
             *       "0.4.50"
             *     ]
             */
            versions: string[];
        };
        /** @description The last 30 days of an agent, by the hour. */
        AgentHistory: {
            /**
             * @description Percentage of the time since its first recorded hour in which a process was running; null without any.
             * @example 99.98
             */
            availability: number | null;
            /** @description The hours in which a process was running or a run finished, oldest first. */
            hours: components["schemas"]["AgentHour"][];
            /**
             * Format: date-time
             * @description Start of the window of 30 days.
             * @example 2026-10-21T12:00:00.000Z
             */
            since: string;
            /**
             * @description The slug of the agent.
             * @example frankfurt
             */
            slug: string;
            /**
             * Format: date-time
             * @description End of the window.
             * @example 2026-11-20T12:30:00.000Z
             */
            until: string;
        };
        /** @description One hour of an agent, from samples every minute. */
        AgentHour: {
            /**
             * @description For how many seconds one of its processes was running.
             * @example 3600
             */
            aliveSeconds: number;
            /**
             * @description The most runs that it executed at once. Null for shared agents, except for the organization of the operator.
             * @example 31
             */
            busyMax: number | null;
            /**
             * Format: date-time
             * @description Start of the UTC hour.
             * @example 2026-11-20T12:00:00.000Z
             */
            hour: string;
            /**
             * @description The longest event loop lag, in milliseconds.
             * @example 18
             */
            latenessMaxMs: number | null;
            /**
             * @description The highest share of its machine's processor time that a process used, 0 to 1.
             * @example 0.22
             */
            loadMax: number | null;
            /**
             * @description Runs that it finished. Null for shared agents, except for the organization of the operator.
             * @example 1260
             */
            runs: number | null;
            /**
             * @description The most runs that it could execute at once.
             * @example 500
             */
            slots: number | null;
        };
        /**
         * @description Slugs of agents; an empty array means any shared agent.
         * @example [
         *       "frankfurt"
         *     ]
         */
        AgentSlugs: string[];
        /** @description A webhook that is bound to the service or above it. */
        AlertedWebhook: {
            /**
             * @description False when every binding is paused, so that it gets no message.
             * @example true
             */
            enabled: boolean;
            /** @description Every resource that it is bound to. */
            heardThrough: components["schemas"]["HeardThrough"][];
            /**
             * @description The name of the webhook.
             * @example Pager
             */
            name: string;
            /**
             * Format: uuid
             * @description The id of the webhook.
             * @example 019aa0f1-6c7d-7e8f-8091-2c3d4e5f6071
             */
            webhookId: string;
        };
        /** @description A member who would be notified by mail. */
        AlertRecipient: {
            /**
             * @description The address.
             * @example ada@example.com
             */
            email: string | null;
            /** @description Every reason why the member is notified. */
            heardThrough: components["schemas"]["HeardThrough"][];
            /**
             * @description Whether a silence suppresses the mail now.
             * @example false
             */
            isSilenced: boolean;
            /**
             * @description The name of the member.
             * @example Ada Lovelace
             */
            name: string | null;
            /**
             * Format: uuid
             * @description The member. This, the name, the address and the names of groups are null for other members without read on Users.
             * @example 019aa0f4-3c1a-7d2e-9f10-5b2f0c6d7e81
             */
            orgUserId: string | null;
            /**
             * @description The silence that suppresses the mail, if it is the caller's own; null for other members.
             * @example null
             */
            silence: {
                /**
                 * @description `email` (mails), `all` (every channel), or `quiet-hours` (mails of the whole organization; requires `quietHours` and no resource).
                 * @example email
                 */
                channel: ("email" | "all" | "quiet-hours") | string;
                /**
                 * @description A JSON object in a string; null without one.
                 * @example {"events":["service.recovered"]}
                 */
                config: string | null;
                /**
                 * Format: uuid
                 * @description The id of the silence.
                 * @example 019aa0f2-5b6c-7d7e-8f80-1b2c3d4e5f60
                 */
                id: string;
                /**
                 * Format: uuid
                 * @description The caller's membership.
                 * @example 019aa0f4-3c1a-7d2e-9f10-5b2f0c6d7e81
                 */
                orgUserId: string;
                /**
                 * Format: uuid
                 * @description The project whose events are silenced; null for another scope.
                 * @example 019aa0f0-2345-7abc-8def-0123456789ab
                 */
                projectId: string | null;
                /**
                 * @description The window in which the silence applies; null for always.
                 * @example FREQ=DAILY;BYHOUR=22;BYMINUTE=0/480/Europe/Berlin
                 */
                quietHours: string | null;
                /**
                 * @description The name of the workspace, project or service; null without one, or when the caller cannot see it.
                 * @example Storefront
                 */
                resourceName: string | null;
                /**
                 * Format: uuid
                 * @description The service whose events are silenced; null for another scope. Without any id: all events.
                 * @example null
                 */
                serviceId: string | null;
                /**
                 * Format: uuid
                 * @description The workspace whose events are silenced; null for another scope.
                 * @example null
                 */
                workspaceId: string | null;
            } | null;
            /**
             * @description `a silence` or `quiet hours`; null when it is sent.
             * @example null
             */
            silencedReason: string | null;
            /**
             * Format: date-time
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
             * @description Failed runs in a row after which the failure is confirmed and an incident opens.
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
            /**
             * @description A `read` key may send only GET and HEAD; a `write` key may do what its member may.
             * @example write
             */
            access: ("read" | "write") | string;
            /**
             * Format: date-time
             * @description When the key expires; null when it never does.
             * @example 2027-11-20T00:00:00.000Z
             */
            expiresAt: string | null;
            /**
             * Format: uuid
             * @description The id of the key.
             * @example 019aa0e0-0303-7abc-8def-0123456789ab
             */
            id: string;
            /**
             * @description The name that the member gave the key.
             * @example GitHub Actions
             */
            name: string;
            /** @description The organization that the key belongs to. */
            organization: {
                /**
                 * Format: uuid
                 * @description The id of the organization.
                 * @example 019aa0e0-0101-7abc-8def-0123456789ab
                 */
                id: string;
                /**
                 * @description The name of the organization.
                 * @example Example Ltd
                 */
                name: string;
            };
            /**
             * @description The first eleven characters of the key.
             * @example sl_3fA9xK2p
             */
            prefix: string;
            /** @description The member the key acts as. */
            user: {
                /**
                 * @description The member's address.
                 * @example ada@example.com
                 */
                email: string;
                /**
                 * Format: uuid
                 * @description The id of the user account.
                 * @example 019aa0e0-0202-7abc-8def-0123456789ab
                 */
                id: string;
            };
        };
        /** @description The endpoint whose responses are checked. */
        AssertedEndpoint: {
            /**
             * @description The request method, in upper case.
             * @example GET
             */
            method: string;
            /**
             * @description The URL as written in the script, variables unresolved.
             * @example https://shop.example/cart/$cartId
             */
            template: string;
        };
        /** @description How often one assertion failed. */
        AssertionFailure: {
            /**
             * @description The chain method that contains it.
             * @example expect
             */
            assertion: ("expect" | "check" | "assert") | string;
            endpoint: components["schemas"]["AssertedEndpoint"];
            /**
             * @description How often it was checked in the window.
             * @example 288
             */
            evaluations: number;
            /**
             * @description The expected value as written in the script: the value itself, or the text of an expression that runs evaluate. Null for a condition.
             * @example 200
             */
            expected: unknown;
            /**
             * @description The condition as written; null otherwise.
             * @example null
             */
            expression: string | null;
            /**
             * @description Share of checks that failed.
             * @example 1.04
             */
            failureRatePct: number;
            /**
             * @description How often it failed in the window.
             * @example 3
             */
            failures: number;
            /**
             * @description The same for the same check at the same endpoint.
             * @example Zx8Yw7Vu6Ts5Rq4Po3Nm2L
             */
            key: string;
            /**
             * @description `expect` ends the run when it fails, `check` does not.
             * @example expect
             */
            kind: ("expect" | "check") | string;
            /**
             * Format: date-time
             * @description Start of the last run in which it failed; null without any.
             * @example 2026-11-20T12:30:00.000Z
             */
            lastFailedAt: string | null;
            /**
             * @description How it was compared; null for a condition.
             * @example eq
             */
            op: string | null;
            /**
             * @description What was compared; null for a condition.
             * @example status
             */
            scope: string | null;
        };
        /** @description How often each assertion of a service failed. */
        AssertionFailures: {
            /** @description Most failures first. */
            assertions: components["schemas"]["AssertionFailure"][];
            /**
             * Format: date-time
             * @description Start of the window.
             * @example 2026-11-19T13:00:00.000Z
             */
            since: string;
            /**
             * @description True when there are more than 200 assertions.
             * @example false
             */
            truncated: boolean;
            /**
             * Format: date-time
             * @description End of the window.
             * @example 2026-11-20T12:30:00.000Z
             */
            until: string;
            /**
             * @description The window, which ends now and consists of whole UTC hours (`24h`, `7d`) or days (`30d`, `90d`), the current one included.
             * @example 24h
             */
            window: ("24h" | "7d" | "30d" | "90d") | string;
        };
        /**
         * @description For `expect` and `check`: scope, op, expected and actual. For `assert`: expression and both operands.
         * @example {
         *       "method": "expect",
         *       "outcome": "passed",
         *       "scope": "status",
         *       "op": "eq",
         *       "expected": 200,
         *       "actual": 200
         *     }
         */
        AssertionResult: {
            /**
             * @description The actual value.
             * @example 200
             */
            actual?: unknown;
            /**
             * @description Left operand of the condition.
             * @example 42
             */
            actualLhs?: unknown;
            /**
             * @description Right operand of the condition.
             * @example 0
             */
            actualRhs?: unknown;
            /**
             * @description The expected value.
             * @example 200
             */
            expected?: unknown;
            /**
             * @description The condition as written.
             * @example this.body.total > 0
             */
            expression?: string;
            /**
             * @description The position of the condition in its `assert`, from 0.
             * @example 0
             */
            index?: number;
            /**
             * @description Whether an `assert` ends the run when it fails.
             * @example expect
             */
            kind?: ("expect" | "check") | string;
            /**
             * @description Which redirects the scope `redirects` compares.
             * @example any
             */
            match?: string;
            /**
             * @description The chain method that contains it.
             * @example expect
             */
            method: ("expect" | "check" | "assert") | string;
            /**
             * @description How strictly the scope `body` is compared with a schema.
             * @example loose
             */
            mode?: string;
            /**
             * @description How it was compared.
             * @example eq
             */
            op?: string;
            /**
             * @description The options that the script gives to the assertion.
             * @example null
             */
            options?: unknown;
            /**
             * @description How it ended; `indeterminate` when a value could not be compared.
             * @example passed
             */
            outcome: ("passed" | "failed" | "indeterminate") | string;
            /**
             * @description What was compared.
             * @example status
             */
            scope?: string;
        } & {
            [key: string]: unknown;
        };
        /** @description Runs of several services that one request asked for. */
        Batch: {
            /**
             * @description Runs whose `outcome` is `cancelled`.
             * @example 0
             */
            cancelled: number;
            /**
             * Format: date-time
             * @description The same as `requestedAt`.
             * @example 2026-11-20T12:30:00.000Z
             */
            createdAt: string;
            /**
             * @description Runs whose `outcome` is `failure`.
             * @example 1
             */
            failed: number;
            /**
             * Format: uuid
             * @description The id of the batch.
             * @example 019aa0f4-7b2c-7d3e-8f4a-5b6c7d8e9f0a
             */
            id: string;
            /**
             * @description Of those that passed, the runs that some agents did not execute: see `skippedAgents`.
             * @example 0
             */
            incomplete: number;
            /**
             * @description The note of the request.
             * @example deploy 42
             */
            note: string | null;
            /**
             * @description Runs whose `outcome` is `success`.
             * @example 0
             */
            passed: number;
            /**
             * @description Runs that are not done.
             * @example 0
             */
            pending: number;
            /**
             * Format: date-time
             * @description When it was requested.
             * @example 2026-11-20T12:30:00.000Z
             */
            requestedAt: string;
            /** @description One entry per service that the caller can read, ordered by name, then id. */
            runs: components["schemas"]["BatchRun"][];
            /**
             * @description Services that are not run, and runs that the installation could not execute.
             * @example 0
             */
            skipped: number;
            /**
             * @description `queued` until a run starts, `done` when no run is left.
             * @example done
             */
            state: ("queued" | "running" | "done") | string;
            /**
             * @description Runs whose `outcome` is `timeout`.
             * @example 0
             */
            timedOut: number;
            /**
             * @description All services that the request selects.
             * @example 1
             */
            total: number;
            /**
             * @description The page of the batch in the dashboard.
             * @example https://soundline.example.com/batches/019aa0f4-7b2c-7d3e-8f4a-5b6c7d8e9f0a
             */
            url: string;
        };
        /** @description One service of a batch. */
        BatchRun: {
            /**
             * @description The worst result of the run; null until it is done.
             * @example failure
             */
            outcome: ("success" | "failure" | "timeout" | "skipped" | "cancelled") | (string | null);
            /**
             * @description Why the service is not run, as an error code: `service_inactive`, `script_missing`, `run_limit_reached`, or the code that refuses the variables. `service_deleted` and `run_expired`: the run is no longer known. Null for others.
             * @example null
             */
            reason: string | null;
            /**
             * Format: uuid
             * @description The run; null for a service that is not run.
             * @example 019aa0f4-8c3d-7e4f-9a5b-6c7d8e9f0a1b
             */
            runId: string | null;
            /**
             * Format: uuid
             * @description The id of the service.
             * @example 019aa0f0-1234-7abc-8def-0123456789ab
             */
            serviceId: string;
            /**
             * @description Its name when the batch was requested.
             * @example Checkout
             */
            serviceName: string;
            /** @description The agents that did not execute their part of the run. It can be `success` nevertheless, because the others passed. */
            skippedAgents: components["schemas"]["SkippedAgent"][];
            /**
             * @description `queued` until an agent starts the run, `done` when all its agents have ended.
             * @example done
             */
            state: ("queued" | "running" | "done") | string;
            /**
             * @description What failed, or why a skipped run was not executed, in one line. Null for a run that passed.
             * @example GET https://shop.example/cart: status 500, expected 200
             */
            summary: string | null;
            /**
             * @description The page of the run in the dashboard; null for a service that is not run or was deleted.
             * @example https://soundline.example.com/services/019aa0f0-1234-7abc-8def-0123456789ab/runs/019aa0f4-8c3d-7e4f-9a5b-6c7d8e9f0a1b
             */
            url: string | null;
        };
        /** @description The body of `POST /variables`. */
        CreateOrganizationVariableRequest: {
            /**
             * @description The hosts that a secret may be sent to: `api.example.com`, or `*.example.com` for all its subdomains, each optionally with a port. Empty for any host. Must be empty unless the type is secret.
             * @example [
             *       "api.example.com",
             *       "*.example.net:8443"
             *     ]
             */
            allowedHosts?: string[];
            /**
             * @description The name in scripts: letters, digits and underscores.
             * @example base_url
             */
            key: string;
            /**
             * @description `variable` or `secret`: both are stored encrypted and never shown; results mask secrets. `metric`: a value that is shown, and that scripts write.
             * @default variable
             * @example secret
             * @enum {string}
             */
            type?: "variable" | "secret" | "metric";
            /**
             * @description The value, which is stored encrypted.
             * @example https://shop.example
             */
            value: string;
        };
        /** @description The body of `POST /projects`. */
        CreateProjectRequest: {
            /**
             * @description The name. Trimmed; must not contain invisible characters, control characters or line breaks.
             * @example Storefront
             */
            name: string;
            /**
             * Format: uuid
             * @description The workspace that gets the project.
             * @example 019aa0f0-3456-7abc-8def-0123456789ab
             */
            workspaceId: string;
        };
        /** @description The body of `POST /projects/{id}/variables`. */
        CreateProjectVariableRequest: {
            /**
             * @description The hosts that a secret may be sent to: `api.example.com`, or `*.example.com` for all its subdomains, each optionally with a port. Empty for any host. Must be empty unless the type is secret.
             * @example [
             *       "api.example.com",
             *       "*.example.net:8443"
             *     ]
             */
            allowedHosts?: string[];
            /**
             * @description The name in scripts: letters, digits and underscores.
             * @example base_url
             */
            key: string;
            /**
             * @description `variable` or `secret`: both are stored encrypted and never shown; results mask secrets. `metric`: a value that is shown, and that scripts write.
             * @default variable
             * @example secret
             * @enum {string}
             */
            type?: "variable" | "secret" | "metric";
            /**
             * @description The value, which is stored encrypted.
             * @example https://shop.example
             */
            value: string;
        };
        /** @description The body of `POST /services`. */
        CreateServiceRequest: {
            /**
             * @description False saves the script without switching the service on.
             * @example true
             */
            isActive?: boolean;
            /**
             * @description A short text shown next to the name; an empty one clears it.
             * @example production
             */
            label?: string | null;
            /**
             * @description The name. Trimmed; must not contain invisible characters, control characters or line breaks.
             * @example Checkout
             */
            name: string;
            /**
             * Format: uuid
             * @description The project that gets the service.
             * @example 019aa0f0-2345-7abc-8def-0123456789ab
             */
            projectId: string;
            /**
             * @description Whether runs store the bodies of responses.
             * @default true
             * @example true
             */
            saveResponseBodies?: boolean;
            /**
             * @description A cron expression of five fields, in UTC.
             * @default *\/5 * * * *
             * @example *\/5 * * * *
             */
            schedule?: string;
            /**
             * @description A probe script in the Lace language.
             * @example get("https://shop.example/health").expect(status: 200)
             */
            script?: string;
            /**
             * @description Whether each request of a run carries the W3C header `traceparent`, unless the script sets it. All requests of a run have one trace id, which the result shows.
             * @default false
             * @example true
             */
            sendTraceparent?: boolean;
        };
        /** @description The body of `POST /services/{id}/variables`. */
        CreateServiceVariableRequest: {
            /**
             * @description The hosts that a secret may be sent to: `api.example.com`, or `*.example.com` for all its subdomains, each optionally with a port. Empty for any host. Must be empty unless the type is secret.
             * @example [
             *       "api.example.com",
             *       "*.example.net:8443"
             *     ]
             */
            allowedHosts?: string[];
            /**
             * @description The name in scripts: letters, digits and underscores.
             * @example base_url
             */
            key: string;
            /**
             * @description `variable` or `secret`: both are stored encrypted and never shown; results mask secrets. `metric`: a value that is shown, and that scripts write.
             * @default variable
             * @example secret
             * @enum {string}
             */
            type?: "variable" | "secret" | "metric";
            /**
             * @description The value, which is stored encrypted.
             * @example https://shop.example
             */
            value: string;
        };
        /** @description The body of `POST /silences`. */
        CreateSilenceRequest: {
            /**
             * @description `email` (mails), `all` (every channel), or `quiet-hours` (mails of the whole organization; requires `quietHours` and no resource).
             * @example email
             * @enum {string}
             */
            channel: "email" | "all" | "quiet-hours";
            /**
             * @description A JSON object in a string. Known keys: `events` (array of event kinds; all when absent), `until` (ISO-8601, in the future).
             * @example {"events":["service.recovered"]}
             */
            config?: string | null;
            /**
             * Format: uuid
             * @description Silences this project.
             * @example 019aa0f0-2345-7abc-8def-0123456789ab
             */
            projectId?: string | null;
            /**
             * @description `RRULE[/minutes[/timezone]]`; by default 60 minutes and the time zone of the organization. The silence applies only while the window is open.
             * @example FREQ=DAILY;BYHOUR=22;BYMINUTE=0/480/Europe/Berlin
             */
            quietHours?: string | null;
            /**
             * Format: uuid
             * @description Silences this service. At most one of the three ids may be given; without any, everything is silenced.
             * @example 019aa0f0-1234-7abc-8def-0123456789ab
             */
            serviceId?: string | null;
            /**
             * Format: uuid
             * @description Silences this workspace.
             * @example 019aa0f0-3456-7abc-8def-0123456789ab
             */
            workspaceId?: string | null;
        };
        /** @description The body of `POST /webhooks/bindings`. */
        CreateWebhookBindingRequest: {
            /**
             * @description False creates the binding paused.
             * @default true
             * @example true
             */
            enabled?: boolean;
            /**
             * Format: uuid
             * @description The webhook that gets the events.
             * @example 019aa0f1-6c7d-7e8f-8091-2c3d4e5f6071
             */
            webhookId: string;
        };
        /** @description The body of `POST /workspaces`. */
        CreateWorkspaceRequest: {
            /**
             * @description The name. Trimmed; must not contain invisible characters, control characters or line breaks.
             * @example Web shop
             */
            name: string;
        };
        /** @description The body of `POST /workspaces/{id}/variables`. */
        CreateWorkspaceVariableRequest: {
            /**
             * @description The hosts that a secret may be sent to: `api.example.com`, or `*.example.com` for all its subdomains, each optionally with a port. Empty for any host. Must be empty unless the type is secret.
             * @example [
             *       "api.example.com",
             *       "*.example.net:8443"
             *     ]
             */
            allowedHosts?: string[];
            /**
             * @description The name in scripts: letters, digits and underscores.
             * @example base_url
             */
            key: string;
            /**
             * @description `variable` or `secret`: both are stored encrypted and never shown; results mask secrets. `metric`: a value that is shown, and that scripts write.
             * @default variable
             * @example secret
             * @enum {string}
             */
            type?: "variable" | "secret" | "metric";
            /**
             * @description The value, which is stored encrypted.
             * @example https://shop.example
             */
            value: string;
        };
        /** @description The phases of the calls, and the whole response time. */
        EndpointPhases: {
            connectMs: components["schemas"]["PhaseComparison"];
            dnsMs: components["schemas"]["PhaseComparison"];
            responseTimeMs: components["schemas"]["PhaseComparison"];
            tlsMs: components["schemas"]["PhaseComparison"];
            transferMs: components["schemas"]["PhaseComparison"];
            ttfbMs: components["schemas"]["PhaseComparison"];
        };
        /** @description The calls of one UTC hour or day. Percentiles are by nearest rank over the calls that got a response; values above 128 calls are within 1 %. */
        EndpointPoint: {
            /**
             * Format: date-time
             * @description Start of the bucket.
             * @example 2026-11-20T12:00:00.000Z
             */
            bucketStart: string;
            /**
             * @description Calls in the bucket.
             * @example 25
             */
            calls: number;
            /**
             * @description Share of failed calls; null without calls.
             * @example 4
             */
            errorRatePct: number | null;
            /**
             * @description Calls of these that failed.
             * @example 1
             */
            failedCalls: number;
            /**
             * @description Median in milliseconds; null without any.
             * @example 92
             */
            p50Ms: number | null;
            /**
             * @description 95th percentile in milliseconds; null without any.
             * @example 184
             */
            p95Ms: number | null;
            /**
             * @description 99th percentile in milliseconds; null without any.
             * @example 310
             */
            p99Ms: number | null;
        };
        /** @description The previous window. */
        EndpointPreviousWindow: {
            /**
             * @description Mean size of the response bodies; null without any.
             * @example 5120
             */
            avgSizeBytes: number | null;
            /**
             * @description Calls to the endpoint.
             * @example 25
             */
            calls: number;
            /**
             * @description Calls of these that failed.
             * @example 1
             */
            failedCalls: number;
            /**
             * @description Calls per status code; `none` counts calls without a response.
             * @example {
             *       "200": 24,
             *       "none": 1
             *     }
             */
            statusCodes: {
                [key: string]: number;
            };
        };
        /** @description The calls to each endpoint over time. */
        EndpointSeries: {
            /** @description All endpoints together, one point per bucket. */
            all: components["schemas"]["EndpointPoint"][];
            /**
             * @description Start of each bucket, oldest first.
             * @example [
             *       "2026-11-20T12:00:00.000Z"
             *     ]
             */
            buckets: string[];
            /**
             * @description How long each bucket is.
             * @example hour
             */
            bucketType: ("hour" | "day") | string;
            /** @description Most called first. */
            endpoints: components["schemas"]["EndpointSeriesEntry"][];
            /**
             * @description True when there are more than 50 endpoints.
             * @example false
             */
            endpointsTruncated: boolean;
            /**
             * @description The window, which ends now and consists of whole UTC hours (`24h`, `7d`) or days (`30d`, `90d`), the current one included.
             * @example 24h
             */
            window: ("24h" | "7d" | "30d" | "90d") | string;
        };
        /** @description The calls to one endpoint over time. */
        EndpointSeriesEntry: {
            /**
             * @description The same for the same method and template.
             * @example q1w2E3r4T5y6U7i8O9p0aB
             */
            key: string;
            /**
             * @description The request method, in upper case.
             * @example GET
             */
            method: string;
            /** @description One point per bucket. */
            points: components["schemas"]["EndpointPoint"][];
            /**
             * @description The URL as written in the script, variables unresolved.
             * @example https://shop.example/cart/$cartId
             */
            template: string;
        };
        /** @description The calls to one endpoint in the window. */
        EndpointStatistics: {
            /**
             * @description Mean size of the response bodies; null without any.
             * @example 5120
             */
            avgSizeBytes: number | null;
            /**
             * @description Calls to the endpoint.
             * @example 25
             */
            calls: number;
            /**
             * @description Calls of these that failed.
             * @example 1
             */
            failedCalls: number;
            /**
             * @description The same for the same method and template.
             * @example q1w2E3r4T5y6U7i8O9p0aB
             */
            key: string;
            /**
             * @description The request method, in upper case.
             * @example GET
             */
            method: string;
            /**
             * @description Median in milliseconds; null without any.
             * @example 92
             */
            p50Ms: number | null;
            /**
             * @description 95th percentile in milliseconds; null without any.
             * @example 184
             */
            p95Ms: number | null;
            /**
             * @description 99th percentile in milliseconds; null without any.
             * @example 310
             */
            p99Ms: number | null;
            phases: components["schemas"]["EndpointPhases"];
            previous: components["schemas"]["EndpointPreviousWindow"];
            /**
             * @description Calls per status code; `none` counts calls without a response.
             * @example {
             *       "200": 24,
             *       "none": 1
             *     }
             */
            statusCodes: {
                [key: string]: number;
            };
            /**
             * @description The URL as written in the script, variables unresolved.
             * @example https://shop.example/cart/$cartId
             */
            template: string;
        };
        /** @description Why a request failed. */
        Error: {
            details?: components["schemas"]["ErrorDetails"];
            /**
             * @description The address of the code in the guide.
             * @example https://soundline.example.com/docs/guide#code-not_found
             */
            doc: string;
            /**
             * @description A stable code. Codes can be added: treat an unknown code as a general failure.
             * @example not_found
             */
            error: ("field_invalid" | "field_required" | "invalid_uuid" | "invalid_request_body" | "invalid_path" | "blocked_probe_target" | "unverified_domain_call_limit" | "unverified_domain_includes" | "unverified_domain_interval" | "variable_limit_reached" | "silence_limit_reached" | "note_limit_reached" | "run_limit_reached" | "reserved_key" | "readonly_variable" | "system_variable" | "bad_request" | "missing_auth_header" | "invalid_token" | "invalid_api_key" | "api_key_revoked" | "api_key_expired" | "api_key_owner_inactive" | "api_key_read_only" | "totp_enrollment_required" | "insufficient_permissions" | "not_found" | "method_not_allowed" | "request_timeout" | "already_exists" | "version_conflict" | "service_inactive" | "script_missing" | "run_started" | "binding_exists" | "idempotency_mismatch" | "idempotency_in_progress" | "body_gone" | "length_required" | "body_too_large" | "request_body_too_large" | "rate_limited" | "too_many_unknown_keys" | "request_headers_too_large" | "internal_error" | "body_store_unavailable" | "service_unavailable") | string;
            /**
             * @description What to do, in one sentence for people. The text can change.
             * @example Check `projectId`: it names no resource that you may see or change.
             */
            message: string;
        };
        /** @description Facts about the error for programs. Each code has its own, see its description. */
        ErrorDetails: {
            /**
             * @description The index of the call that the error is about, from 0.
             * @example 0
             */
            callIndex?: number;
            /** @description Every problem of the script, or the first 20 wrong fields of the body when there are several. */
            errors?: {
                /**
                 * @description The index of the call, from 0; null without one.
                 * @example 0
                 */
                callIndex?: number | null;
                /**
                 * @description A code of the language, or one of the platform: `SECRET_HOST_NOT_ALLOWED` (a secret would be sent to a host that is not among its `allowedHosts`), `HOST_HEADER_TWICE`, `HOST_HEADER_DIFFERS`. For a field of the body, the error code.
                 * @example SECRET_HOST_NOT_ALLOWED
                 */
                code: string;
                /**
                 * @description Column of the line, from 1.
                 * @example 5
                 */
                column?: number | null;
                /**
                 * @description What is wrong in the script, in words for people.
                 * @example the secret $s.token would be sent to shop.example
                 */
                detail?: string | null;
                /**
                 * @description The field; null without one.
                 * @example url
                 */
                field?: string | null;
                /**
                 * @description Line of the script, from 1.
                 * @example 3
                 */
                line?: number | null;
                /**
                 * @description What is wrong with the field of the body, in words for people.
                 * @example must be a string
                 */
                reason?: string;
            }[];
            /**
             * @description The parameter or body field that the error is about.
             * @example script
             */
            field?: string;
            /**
             * @description The unverified hosts that the script targets.
             * @example [
             *       "shop.example"
             *     ]
             */
            hosts?: string[];
            /**
             * @description The id of the existing resource, where the caller may see it.
             * @example 019aa0f0-1234-7abc-8def-0123456789ab
             */
            id?: string;
            /**
             * @description The key of the variable.
             * @example name
             */
            key?: string;
            /**
             * @description The upper bound.
             * @example 100
             */
            max?: number;
            /**
             * @description The maximum size in bytes.
             * @example 1048576
             */
            maxBytes?: number;
            /**
             * @description What is wrong with the field, in words for people.
             * @example targets a private address
             */
            reason?: string;
            /**
             * @description Slugs that are unknown, inactive or not visible to the caller.
             * @example [
             *       "frankfurt"
             *     ]
             */
            unknown?: string[];
            /**
             * @description The current version of the service.
             * @example 18
             */
            version?: number;
        };
        /** @description An assertion that failed, with what it expected and what it got. */
        FailedAssertion: {
            /**
             * @description The actual value; null for a condition.
             * @example 500
             */
            actual?: unknown;
            /**
             * @description Left operand of the condition.
             * @example null
             */
            actualLhs?: unknown;
            /**
             * @description Right operand of the condition.
             * @example null
             */
            actualRhs?: unknown;
            /**
             * @description The expected value; null for a condition.
             * @example 200
             */
            expected?: unknown;
            /**
             * @description The condition of an `assert`, as written; otherwise null.
             * @example null
             */
            expression?: string | null;
            /**
             * @description The chain method that contains it.
             * @example expect
             */
            method: ("expect" | "check" | "assert") | string;
            /**
             * @description How it was compared; null for a condition.
             * @example eq
             */
            op?: string | null;
            /**
             * @description What was compared; null for a condition.
             * @example status
             */
            scope?: string | null;
            /**
             * @description The step, from 1, in the order of the script.
             * @example 2
             */
            stepNum: number;
        };
        /** @description Failed runs by hour of day and weekday. */
        FailureHeatmap: {
            /** @description All 168 hours of the week, by weekday and hour. */
            cells: components["schemas"]["HeatmapCell"][];
            /**
             * Format: date-time
             * @description First day with runs; null without any.
             * @example 2026-11-01T00:00:00.000Z
             */
            coveredFrom: string | null;
            /**
             * Format: date-time
             * @description End of the last day with runs, or now; null without any.
             * @example 2026-11-20T12:30:00.000Z
             */
            coveredTo: string | null;
            /**
             * @description How many days were read.
             * @example 90
             */
            days: number;
            /**
             * Format: date-time
             * @description Start of the window.
             * @example 2026-08-23T00:00:00.000Z
             */
            since: string;
            /**
             * @description The time zone of weekdays and hours.
             * @example UTC
             */
            timezone: string;
            /**
             * @description Runs that failed or timed out.
             * @example 42
             */
            totalFailedRuns: number;
            /**
             * @description Executed runs.
             * @example 5616
             */
            totalRuns: number;
            /**
             * Format: date-time
             * @description End of the window.
             * @example 2026-11-20T12:30:00.000Z
             */
            until: string;
        };
        /** @description Members that get access and permissions together. */
        Group: {
            /**
             * Format: uuid
             * @description The id of the group.
             * @example 019aa0e0-0404-7abc-8def-0123456789ab
             */
            id: string;
            /**
             * @description How many members it has.
             * @example 4
             */
            memberCount: number;
            /**
             * @description The name, unique in the organization.
             * @example DevOps
             */
            name: string;
        };
        /** @description One page of a list; `total` is the count across all pages. */
        GroupPage: {
            /** @description The entries of this page. */
            items: components["schemas"]["Group"][];
            /**
             * @description The page that was read, from 1.
             * @example 1
             */
            page: number;
            /**
             * @description How many entries a page has at most.
             * @example 50
             */
            pageSize: number;
            /**
             * @description How many entries there are across all pages.
             * @example 1
             */
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
             * @description Why the recipient is notified: `grant` (a grant of the member), `group` (a grant of a group), `follow`, `binding` (of a webhook), `section` (write on Settings, for events of agents), or `owner` (of the organization, for a service without listeners).
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
            resourceType: ("workspace" | "project" | "service") | (string | null);
        };
        /** @description The runs of one hour of the week. */
        HeatmapCell: {
            /**
             * @description Runs that failed or timed out.
             * @example 2
             */
            failedRuns: number;
            /**
             * @description Hour of the day in UTC.
             * @example 12
             */
            hour: number;
            /**
             * @description Executed runs.
             * @example 33
             */
            runs: number;
            /**
             * @description ISO: 1 is Monday.
             * @example 5
             */
            weekday: number;
        };
        /** @description The runs of one hour. */
        HourlyBucket: {
            /**
             * @description Calls that the runs made.
             * @example 24
             */
            callCount: number;
            /**
             * @description Runs that failed.
             * @example 1
             */
            failure: number;
            /**
             * Format: date-time
             * @description Start of the UTC hour.
             * @example 2026-11-20T12:00:00.000Z
             */
            hour: string;
            /**
             * @description Runs that passed.
             * @example 11
             */
            success: number;
            /**
             * @description Sum of the runs' total response times, in milliseconds.
             * @example 2208
             */
            sumMs: number;
            /**
             * @description Runs that timed out.
             * @example 0
             */
            timeout: number;
            /**
             * @description Executed runs.
             * @example 12
             */
            total: number;
        };
        /** @description One confirmed failure of a service, from its confirmation to the recovery. */
        Incident: {
            /**
             * Format: date-time
             * @description When a member acknowledged first; null until one does.
             * @example null
             */
            acknowledgedAt: string | null;
            /**
             * @description Who acknowledged first; null until a member does.
             * @example null
             */
            acknowledgedBy: {
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
            } | null;
            /** @description What each agent of the service sees now; for a closed incident, what it saw last before the end. */
            agents: components["schemas"]["IncidentAgent"][];
            /**
             * Format: date-time
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
             * @description The id of the incident.
             * @example 019aa0f4-9a8b-7c6d-8e5f-4a3b2c1d0e9f
             */
            id: string;
            /**
             * Format: uuid
             * @description The last result before the incident that passed; null when none did.
             * @example 019aa0ef-7f2b-7c3d-8e4f-6a5b4c3d2e1f
             */
            lastPassingResultId: string | null;
            /**
             * Format: date-time
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
             * @description The project of the service.
             * @example 019aa0f0-2345-7abc-8def-0123456789ab
             */
            projectId: string;
            /**
             * Format: uuid
             * @description The result that closed the incident; null while it is open.
             * @example null
             */
            recoveredResultId: string | null;
            /**
             * Format: uuid
             * @description The service that failed.
             * @example 019aa0f0-1234-7abc-8def-0123456789ab
             */
            serviceId: string;
            /**
             * @description The name of the service.
             * @example Checkout
             */
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
             * @description The incident's page in the dashboard; null when the operator has configured no address.
             * @example https://probes.example.com/incidents/019aa0f4-9a8b-7c6d-8e5f-4a3b2c1d0e9f
             */
            url: string | null;
            /**
             * Format: uuid
             * @description The workspace of the service.
             * @example 019aa0f0-3456-7abc-8def-0123456789ab
             */
            workspaceId: string;
        };
        /** @description An agent's own view of the service. */
        IncidentAgent: {
            /**
             * Format: uuid
             * @description The id of the agent.
             * @example 019aa0f4-1111-7aaa-8bbb-2c3d4e5f6a7b
             */
            agentId: string;
            /**
             * @description The slug of the agent.
             * @example frankfurt
             */
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
             * @description When the agent first saw this status in the current streak.
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
             * Format: date-time
             * @description When a member acknowledged first; null until one does.
             * @example null
             */
            acknowledgedAt: string | null;
            /**
             * @description Who acknowledged first; null until a member does.
             * @example null
             */
            acknowledgedBy: {
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
            } | null;
            /** @description What each agent of the service sees now; for a closed incident, what it saw last before the end. */
            agents: components["schemas"]["IncidentAgent"][];
            /**
             * Format: date-time
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
             * @description The id of the incident.
             * @example 019aa0f4-9a8b-7c6d-8e5f-4a3b2c1d0e9f
             */
            id: string;
            /**
             * Format: uuid
             * @description The last result before the incident that passed; null when none did.
             * @example 019aa0ef-7f2b-7c3d-8e4f-6a5b4c3d2e1f
             */
            lastPassingResultId: string | null;
            /**
             * Format: date-time
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
             * @description The project of the service.
             * @example 019aa0f0-2345-7abc-8def-0123456789ab
             */
            projectId: string;
            /**
             * Format: uuid
             * @description The result that closed the incident; null while it is open.
             * @example null
             */
            recoveredResultId: string | null;
            /**
             * Format: uuid
             * @description The service that failed.
             * @example 019aa0f0-1234-7abc-8def-0123456789ab
             */
            serviceId: string;
            /**
             * @description The name of the service.
             * @example Checkout
             */
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
             * @description The incident's page in the dashboard; null when the operator has configured no address.
             * @example https://probes.example.com/incidents/019aa0f4-9a8b-7c6d-8e5f-4a3b2c1d0e9f
             */
            url: string | null;
            /**
             * Format: uuid
             * @description The workspace of the service.
             * @example 019aa0f0-3456-7abc-8def-0123456789ab
             */
            workspaceId: string;
        };
        /** @description A member who acknowledged an incident or wrote a note. */
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
        /** @description What a member wrote about an incident. */
        IncidentNote: {
            author: components["schemas"]["IncidentMember"];
            /**
             * Format: date-time
             * @description When it was written.
             * @example 2026-11-20T12:30:00.000Z
             */
            createdAt: string;
            /**
             * Format: uuid
             * @description The id of the note.
             * @example 019aa0f5-0a1b-7c2d-8e3f-4a5b6c7d8e9f
             */
            id: string;
            /**
             * @description What the member wrote; it can have several lines.
             * @example The payment provider is down. We wait for them.
             */
            text: string;
        };
        /** @description One page of a list; `total` is the count across all pages. */
        IncidentPage: {
            /** @description The entries of this page. */
            items: components["schemas"]["Incident"][];
            /**
             * @description The page that was read, from 1.
             * @example 1
             */
            page: number;
            /**
             * @description How many entries a page has at most.
             * @example 50
             */
            pageSize: number;
            /**
             * @description How many entries there are across all pages.
             * @example 1
             */
            total: number;
        };
        /** @description One thing that happened during an incident. */
        IncidentTimelineEntry: {
            /**
             * Format: date-time
             * @description When it happened.
             * @example 2026-11-20T12:30:00.000Z
             */
            at: string;
            /**
             * @description The kind of the event that a message is about; null for other kinds.
             * @example null
             */
            event: string | null;
            /**
             * @description What happened.
             * @example note
             */
            kind: ("service.failed" | "service.recovered" | "service.reminder" | "message" | "acknowledged" | "note") | string;
            /** @description Who acknowledged or wrote the note; otherwise null. */
            member: {
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
            } | null;
            /**
             * @description The message, without names of other members unless the caller may read the section Users; null for other kinds.
             * @example null
             */
            message: {
                /**
                 * @description Attempts of a webhook message; null for a mail.
                 * @example null
                 */
                attempts: number | null;
                /**
                 * @description How it is sent.
                 * @example email
                 */
                channel: ("email" | "webhook") | string;
                /**
                 * Format: date-time
                 * @description When it was queued, or held back.
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
                 * Format: date-time
                 * @description When a webhook message that failed is sent again; null if it is not.
                 * @example null
                 */
                nextAttemptAt: string | null;
                /**
                 * Format: uuid
                 * @description The member who is notified by mail; null for a webhook, and for other members without read on Users.
                 * @example 019aa0f4-3c1a-7d2e-9f10-5b2f0c6d7e81
                 */
                orgUserId: string | null;
                /**
                 * @description Why it is suppressed, held or failed, or why the last attempt failed. Null without read on Webhooks, except for a paused binding.
                 * @example a silence
                 */
                reason: string | null;
                /**
                 * Format: date-time
                 * @description Null until it is sent.
                 * @example null
                 */
                sentAt: string | null;
                /**
                 * Format: date-time
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
                 * Format: uuid
                 * @description Null for a mail, and without read on Webhooks.
                 * @example null
                 */
                webhookId: string | null;
            } | null;
            /**
             * @description Why no one was notified of the event, such as `alertOnRecovery is false`; otherwise null.
             * @example null
             */
            reason: string | null;
            /**
             * @description What failed for `service.failed`, the text of a note, and otherwise null.
             * @example The payment provider is down. We wait for them.
             */
            text: string | null;
        };
        /** @description The failures of the latest failed run. */
        LastFailure: {
            /** @description The first 20 that failed. */
            assertions: components["schemas"]["FailedAssertion"][];
            /**
             * @description How many assertions failed in all.
             * @example 3
             */
            assertionsTotal: number;
            /**
             * @description Why the run failed, if no assertion explains it, such as a refused connection; otherwise null.
             * @example null
             */
            error: string | null;
            /**
             * Format: uuid
             * @description The id of the result.
             * @example 019aa0f4-7f2b-7c3d-8e4f-6a5b4c3d2e1f
             */
            resultId: string;
            /**
             * Format: date-time
             * @description When the run started.
             * @example 2026-11-20T12:30:00.000Z
             */
            startedAt: string;
            /**
             * @description The outcome of the run; `skipped` when the installation could not execute it when it was due.
             * @example failure
             */
            status: ("success" | "failure" | "timeout" | "skipped") | string;
            /**
             * @description What failed, in one line: the first failing request, its cause, and how many more assertions failed.
             * @example GET https://shop.example/cart: status 500, expected 200 (2 more failed)
             */
            summary: string;
        };
        /** @description A computed variable, which is read-only. */
        LockedVariable: {
            /**
             * @description What the value is.
             * @example The name of the service.
             */
            description: string;
            /**
             * @description The name in scripts.
             * @example name
             */
            key: string;
            /**
             * @description The current value; null without one.
             * @example Checkout
             */
            value: string | null;
        };
        /** @description A member of the organization, active or disabled. */
        Member: {
            /**
             * @description The name that others see.
             * @example Ada Lovelace
             */
            displayName: string;
            /**
             * @description The address for sign-in and mails.
             * @example ada@example.com
             */
            email: string;
            /**
             * @description False while the member is disabled.
             * @example true
             */
            isActive: boolean;
            /**
             * Format: uuid
             * @description The id of the user, as in grants.
             * @example 019aa0e0-0202-7abc-8def-0123456789ab
             */
            userId: string;
        };
        /** @description One page of a list; `total` is the count across all pages. */
        MemberPage: {
            /** @description The entries of this page. */
            items: components["schemas"]["Member"][];
            /**
             * @description The page that was read, from 1.
             * @example 1
             */
            page: number;
            /**
             * @description How many entries a page has at most.
             * @example 50
             */
            pageSize: number;
            /**
             * @description How many entries there are across all pages.
             * @example 1
             */
            total: number;
        };
        /** @description Runs since the service was created, by outcome. */
        MetricCounters: {
            /**
             * @description Runs that failed.
             * @example 6
             */
            probesFailure: number;
            /**
             * @description Runs that passed.
             * @example 1432
             */
            probesSuccess: number;
            /**
             * @description Runs that timed out.
             * @example 2
             */
            probesTimeout: number;
            /**
             * @description Executed runs.
             * @example 1440
             */
            probesTotal: number;
        };
        /** @description The latest run. For a project or workspace, the latest run of any of its services. */
        MetricState: {
            /**
             * @description How many runs in a row had the last outcome.
             * @example 122
             */
            lastConsecutive: number;
            /**
             * @description Sum of the response times of that run's calls, in milliseconds; null before the first.
             * @example 184
             */
            lastResponseMs: number | null;
            /**
             * @description Start of that run, in epoch seconds; null before the first.
             * @example 1795177800
             */
            lastRunAt: number | null;
            /**
             * @description The outcome of the latest run that was executed; null before the first.
             * @example success
             */
            lastStatus: ("success" | "failure" | "timeout" | "skipped") | (string | null);
        };
        /** @description The request was carried out. */
        Ok: {
            /**
             * @description Always true: failures have an error status.
             * @example true
             * @constant
             */
            ok: true;
        };
        /** @description Response times of the current UTC hour and the 23 before it, in milliseconds. Percentiles are by nearest rank over the sums of the response times of each run; those of more than 128 runs are within 1 %. Skipped runs, runs without any response and runs with values of their own are left out. */
        Percentiles: {
            /**
             * @description Median, in milliseconds; null without runs.
             * @example 176
             */
            p50: number | null;
            /**
             * @description 95th percentile; null without runs.
             * @example 312
             */
            p95: number | null;
            /**
             * @description 99th percentile; null without runs.
             * @example 540
             */
            p99: number | null;
        };
        /** @description How long one phase of the calls took, in milliseconds. */
        PhaseComparison: {
            /**
             * @description Mean in this window; null without a timed call.
             * @example 12.4
             */
            avgMs: number | null;
            /**
             * @description Mean in the previous window.
             * @example 11.8
             */
            previousAvgMs: number | null;
        };
        /** @description A container of services. */
        Project: {
            /**
             * Format: date-time
             * @description When it was created.
             * @example 2026-11-01T08:00:00.000Z
             */
            createdAt: string;
            /**
             * Format: uuid
             * @description The id of the project.
             * @example 019aa0f0-2345-7abc-8def-0123456789ab
             */
            id: string;
            metrics?: components["schemas"]["ServiceMetrics"];
            /**
             * @description The name, unique in the workspace.
             * @example Storefront
             */
            name: string;
            /**
             * @description Services that the caller can see.
             * @example 3
             */
            serviceCount: number;
            /**
             * Format: uuid
             * @description The id of the workspace.
             * @example 019aa0f0-3456-7abc-8def-0123456789ab
             */
            workspaceId: string;
        };
        /** @description One page of a list; `total` is the count across all pages. */
        ProjectPage: {
            /** @description The entries of this page. */
            items: components["schemas"]["Project"][];
            /**
             * @description The page that was read, from 1.
             * @example 1
             */
            page: number;
            /**
             * @description How many entries a page has at most.
             * @example 50
             */
            pageSize: number;
            /**
             * @description How many entries there are across all pages.
             * @example 1
             */
            total: number;
        };
        /** @description Summary of a run. */
        RecentProbe: {
            /**
             * @description Mean response time of the calls, in milliseconds; null without calls.
             * @example 92
             */
            avgResponseMs: number | null;
            /**
             * @description Calls that the run made.
             * @example 2
             */
            callCount: number;
            /**
             * @description Calls of these that failed.
             * @example 0
             */
            failedCalls: number;
            /**
             * @description The outcome of the run; `skipped` when the installation could not execute it when it was due.
             * @example success
             */
            status: ("success" | "failure" | "timeout" | "skipped") | string;
            /**
             * @description Start of the run, in epoch seconds.
             * @example 1795177800
             */
            timestamp: number;
        };
        /** @description The same buckets for the runs of one agent. */
        Region: {
            /**
             * @description The slug of the agent.
             * @example frankfurt
             */
            agentSlug: string;
            /** @description Oldest first; hours or days without runs are present. */
            buckets: components["schemas"]["StatisticsBucket"][];
        };
        /** @description The body of `PATCH /projects/{id}`. */
        RenameProjectRequest: {
            /**
             * @description The name. Trimmed; must not contain invisible characters, control characters or line breaks.
             * @example Storefront
             */
            name: string;
        };
        /** @description The body of `PATCH /workspaces/{id}`. */
        RenameWorkspaceRequest: {
            /**
             * @description The name. Trimmed; must not contain invisible characters, control characters or line breaks.
             * @example Web shop
             */
            name: string;
        };
        /** @description One run with all its steps. */
        Result: {
            /**
             * @description The slug of the agent that ran it.
             * @example frankfurt
             */
            agentSlug: string;
            /**
             * @description Why the run failed, if no assertion explains it, such as a refused connection; otherwise null.
             * @example null
             */
            error: string | null;
            /**
             * @description What failed. Null for a run that passed or was skipped.
             * @example null
             */
            failure: {
                /** @description The first assertion that failed this step. Null when `error` is the cause. */
                assertion: {
                    /**
                     * @description The actual value; null for a condition.
                     * @example 500
                     */
                    actual?: unknown;
                    /**
                     * @description Left operand of the condition.
                     * @example null
                     */
                    actualLhs?: unknown;
                    /**
                     * @description Right operand of the condition.
                     * @example null
                     */
                    actualRhs?: unknown;
                    /**
                     * @description The expected value; null for a condition.
                     * @example 200
                     */
                    expected?: unknown;
                    /**
                     * @description The condition of an `assert`, as written; otherwise null.
                     * @example null
                     */
                    expression?: string | null;
                    /**
                     * @description The chain method that contains it.
                     * @example expect
                     */
                    method: ("expect" | "check" | "assert") | string;
                    /**
                     * @description How it was compared; null for a condition.
                     * @example eq
                     */
                    op?: string | null;
                    /**
                     * @description What was compared; null for a condition.
                     * @example status
                     */
                    scope?: string | null;
                    /**
                     * @description The step, from 1, in the order of the script.
                     * @example 2
                     */
                    stepNum: number;
                } | null;
                /**
                 * @description The cause without its request.
                 * @example status 500, expected 200
                 */
                cause: string;
                /**
                 * @description Why the run failed, if no assertion explains it, such as a refused connection; otherwise null.
                 * @example null
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
                 * @example null
                 */
                phase: ("dns" | "connect" | "tls" | "ttfb" | "transfer") | (string | null);
                /**
                 * @description How the run ended.
                 * @example failure
                 */
                status: ("failure" | "timeout") | string;
                /** @description The first failing step. Null when the run failed as a whole. */
                step: {
                    /**
                     * @description The request method, in upper case.
                     * @example GET
                     */
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
            } | null;
            /**
             * Format: uuid
             * @description The id of the result.
             * @example 019aa0f4-7f2b-7c3d-8e4f-6a5b4c3d2e1f
             */
            id: string;
            /**
             * Format: uuid
             * @description The id of the agent that ran it.
             * @example 019aa0f4-1111-7aaa-8bbb-2c3d4e5f6a7b
             */
            probeAgentId: string;
            /**
             * @description The language's result, with null in place of storage locators. Null for a skipped run.
             * @example {
             *       "outcome": "success",
             *       "calls": []
             *     }
             */
            rawResult: {
                [key: string]: unknown;
            } | null;
            /**
             * @description How long the run took, pauses included, in milliseconds.
             * @example 412
             */
            runDurationMs: number;
            /**
             * Format: uuid
             * @description The run that the result belongs to. Null for results that an older version stored.
             * @example 019aa0f4-8c3d-7e4f-9a5b-6c7d8e9f0a1b
             */
            runId: string | null;
            /**
             * @description The version of the script that ran. Null for a skipped run, and for runs that an older version stored.
             * @example 17
             */
            scriptVersion: number | null;
            /**
             * Format: uuid
             * @description The id of the service.
             * @example 019aa0f0-1234-7abc-8def-0123456789ab
             */
            serviceId: string;
            /**
             * Format: date-time
             * @description When the run started.
             * @example 2026-11-20T12:30:00.000Z
             */
            startedAt: string;
            /**
             * @description The outcome of the run; `skipped` when the installation could not execute it when it was due.
             * @example success
             */
            status: ("success" | "failure" | "timeout" | "skipped") | string;
            /** @description The calls of the run, in the order of the script. */
            steps: components["schemas"]["ResultStep"][];
            /**
             * @description What failed, in one line: the first failing request, its cause, and how many more assertions failed. Of a skipped run, why it was not executed. Null for a run that passed, and for runs that an older version stored.
             * @example GET https://shop.example/cart: status 500, expected 200 (2 more failed)
             */
            summary: string | null;
        };
        /** @description One page of a list; `total` is the count across all pages. */
        ResultPage: {
            /** @description The entries of this page. */
            items: components["schemas"]["ResultSummary"][];
            /**
             * @description The page that was read, from 1.
             * @example 1
             */
            page: number;
            /**
             * @description How many entries a page has at most.
             * @example 50
             */
            pageSize: number;
            /**
             * @description How many entries there are across all pages.
             * @example 1
             */
            total: number;
        };
        /** @description One call of a run. */
        ResultStep: {
            /** @description The assertions of the call, in the order of the script. */
            assertionResults: components["schemas"]["AssertionResult"][];
            /**
             * @description Why no body is stored; null when `hasBody` is true.
             * @example null
             */
            bodyNotStoredReason: ("not_requested" | "too_large" | "timeout" | "no_body" | "expired" | "store_forgotten" | "store_unavailable") | (string | null);
            /**
             * @description Connection, from the first attempt until one of the addresses accepts, in milliseconds; null when it did not happen.
             * @example 12
             */
            connectMs: number | null;
            /**
             * @description Name lookup, with a wait of up to 50 ms for the other of IPv4 and IPv6, in milliseconds; null when it did not happen.
             * @example 4
             */
            dnsMs: number | null;
            /**
             * @description Why the call failed, such as a refused connection; null when it got a response.
             * @example null
             */
            error: string | null;
            /**
             * @description Whether a body is stored; the body endpoint returns it.
             * @example true
             */
            hasBody: boolean;
            /**
             * @description The response headers by name in lower case; one that was sent several times has a list of values.
             * @example {
             *       "content-type": "application/json"
             *     }
             */
            headers: {
                [key: string]: string | string[];
            };
            /**
             * Format: uuid
             * @description The id of the step.
             * @example 019aa0f4-7f2c-7d4e-8f50-7b6c5d4e3f20
             */
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
            /**
             * @description The URL that was requested, secrets masked; null for a skipped step.
             * @example https://shop.example/cart/42
             */
            requestUrl: string | null;
            /**
             * @description Size of the response body in bytes; null without a response.
             * @example 5120
             */
            responseSizeBytes: number | null;
            /**
             * @description The whole call, in milliseconds; null when it did not happen.
             * @example 184
             */
            responseTimeMs: number | null;
            /**
             * @description Null without a response.
             * @example 200
             */
            statusCode: number | null;
            /**
             * @description From 1, in the order of the script.
             * @example 1
             */
            stepNum: number;
            /**
             * @description TLS handshake, in milliseconds; null when it did not happen.
             * @example 21
             */
            tlsMs: number | null;
            /**
             * @description The trace id of the `traceparent` header that the request carried, to find the request in the traces of the target. Null without one.
             * @example null
             */
            traceId: string | null;
            /**
             * @description Transfer of the body, in milliseconds; null when it did not happen.
             * @example 8
             */
            transferMs: number | null;
            /**
             * @description Waiting for the first byte, in milliseconds; null when it did not happen.
             * @example 139
             */
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
        /** @description Summary of one run. */
        ResultSummary: {
            /**
             * @description The slug of the agent that ran it.
             * @example frankfurt
             */
            agentSlug: string;
            /**
             * Format: uuid
             * @description The id of the result.
             * @example 019aa0f4-7f2b-7c3d-8e4f-6a5b4c3d2e1f
             */
            id: string;
            /**
             * @description How long the run took, pauses included, in milliseconds.
             * @example 412
             */
            runDurationMs: number;
            /**
             * Format: uuid
             * @description The run that the result belongs to. Null for results that an older version stored.
             * @example 019aa0f4-8c3d-7e4f-9a5b-6c7d8e9f0a1b
             */
            runId: string | null;
            /**
             * @description The version of the script that ran. Null for a skipped run, and for runs that an older version stored.
             * @example 17
             */
            scriptVersion: number | null;
            /**
             * Format: date-time
             * @description When the run started.
             * @example 2026-11-20T12:30:00.000Z
             */
            startedAt: string;
            /**
             * @description The outcome of the run; `skipped` when the installation could not execute it when it was due.
             * @example failure
             */
            status: ("success" | "failure" | "timeout" | "skipped") | string;
            /**
             * @description What failed, in one line: the first failing request, its cause, and how many more assertions failed. Of a skipped run, why it was not executed. Null for a run that passed, and for runs that an older version stored.
             * @example GET https://shop.example/cart: status 500, expected 200 (2 more failed)
             */
            summary: string | null;
            /**
             * @description Sum of the calls' response times, in milliseconds.
             * @example 184
             */
            totalResponseMs: number;
        };
        /** @description One run of a service, on one or several agents. */
        Run: {
            /**
             * @description `confirmation` is a scheduled run while a failure of the service is being confirmed.
             * @example request
             */
            cause: ("schedule" | "request" | "confirmation") | string;
            /**
             * Format: date-time
             * @description When its last agent ended, or when it was cancelled.
             * @example 2026-11-20T12:30:00.412Z
             */
            finishedAt: string | null;
            /**
             * Format: uuid
             * @description The id of the run.
             * @example 019aa0f4-8c3d-7e4f-9a5b-6c7d8e9f0a1b
             */
            id: string;
            /**
             * @description The note of the request.
             * @example deploy 42
             */
            note: string | null;
            /**
             * @description The worst of its results: `failure`, then `timeout`, then `success`; `skipped` when no agent could execute it, see `skippedAgents` when only some could not; `cancelled` when it ended without any result. Null until it is done.
             * @example failure
             */
            outcome: ("success" | "failure" | "timeout" | "skipped" | "cancelled") | (string | null);
            /**
             * Format: date-time
             * @description When it was requested or became due.
             * @example 2026-11-20T12:30:00.000Z
             */
            requestedAt: string;
            /** @description One per agent that has ended, skipped ones too. */
            results: components["schemas"]["RunResult"][];
            /**
             * @description The version of the script that ran. Null until it is done, and for a run that ran no script.
             * @example 17
             */
            scriptVersion: number | null;
            /**
             * Format: uuid
             * @description The id of the service.
             * @example 019aa0f0-1234-7abc-8def-0123456789ab
             */
            serviceId: string;
            /** @description The agents that did not execute their part of the run. It can be `success` nevertheless, because the others passed. */
            skippedAgents: components["schemas"]["SkippedAgent"][];
            /**
             * Format: date-time
             * @description When its first agent started.
             * @example 2026-11-20T12:30:00.000Z
             */
            startedAt: string | null;
            /**
             * @description `queued` until an agent starts it, `done` when all its agents have ended.
             * @example done
             */
            state: ("queued" | "running" | "done") | string;
            /**
             * @description What failed, or why a skipped run was not executed, in one line. Null for a run that passed.
             * @example GET https://shop.example/cart: status 500, expected 200
             */
            summary: string | null;
            /**
             * @description The page of the run in the dashboard.
             * @example https://soundline.example.com/services/019aa0f0-1234-7abc-8def-0123456789ab/runs/019aa0f4-8c3d-7e4f-9a5b-6c7d8e9f0a1b
             */
            url: string;
            /**
             * @description The values of the request. The results of a run with values are shown here only: they do not count for metrics, state and alerts, and the list of results omits them.
             * @example {
             *       "s.base": "https://preview-42.shop.example"
             *     }
             */
            variables: {
                [key: string]: string;
            } | null;
        };
        /** @description Why a run failed. */
        RunFailure: {
            /** @description The first assertion that failed this step. Null when `error` is the cause. */
            assertion: {
                /**
                 * @description The actual value; null for a condition.
                 * @example 500
                 */
                actual?: unknown;
                /**
                 * @description Left operand of the condition.
                 * @example null
                 */
                actualLhs?: unknown;
                /**
                 * @description Right operand of the condition.
                 * @example null
                 */
                actualRhs?: unknown;
                /**
                 * @description The expected value; null for a condition.
                 * @example 200
                 */
                expected?: unknown;
                /**
                 * @description The condition of an `assert`, as written; otherwise null.
                 * @example null
                 */
                expression?: string | null;
                /**
                 * @description The chain method that contains it.
                 * @example expect
                 */
                method: ("expect" | "check" | "assert") | string;
                /**
                 * @description How it was compared; null for a condition.
                 * @example eq
                 */
                op?: string | null;
                /**
                 * @description What was compared; null for a condition.
                 * @example status
                 */
                scope?: string | null;
                /**
                 * @description The step, from 1, in the order of the script.
                 * @example 2
                 */
                stepNum: number;
            } | null;
            /**
             * @description The cause without its request.
             * @example status 500, expected 200
             */
            cause: string;
            /**
             * @description Why the run failed, if no assertion explains it, such as a refused connection; otherwise null.
             * @example null
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
             * @example null
             */
            phase: ("dns" | "connect" | "tls" | "ttfb" | "transfer") | (string | null);
            /**
             * @description How the run ended.
             * @example failure
             */
            status: ("failure" | "timeout") | string;
            /** @description The first failing step. Null when the run failed as a whole. */
            step: {
                /**
                 * @description The request method, in upper case.
                 * @example GET
                 */
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
        /** @description One page of a list; `total` is the count across all pages. */
        RunPage: {
            /** @description The entries of this page. */
            items: components["schemas"]["Run"][];
            /**
             * @description The page that was read, from 1.
             * @example 1
             */
            page: number;
            /**
             * @description How many entries a page has at most.
             * @example 50
             */
            pageSize: number;
            /**
             * @description How many entries there are across all pages.
             * @example 1
             */
            total: number;
        };
        /** @description The body of `POST /projects/{id}/run`. */
        RunProjectRequest: {
            /**
             * @description Only services with this label.
             * @example checkout
             */
            label?: string;
            /**
             * @description A note that is shown with the run, such as the deploy that it checks.
             * @example deploy 42
             */
            note?: string;
            /**
             * @description Only services whose latest run ended like this: `failed` means a failure or a timeout, `new` that no run has ended yet.
             * @example failed
             * @enum {string}
             */
            state?: "failed" | "success" | "new";
            /**
             * @description Values for this run alone, by scope and key: `o`, `w`, `p` or `s`, a dot, and the key. All keys and values together may have 16,384 characters. The variables must exist and must not be secrets. The values are shown with the run; they are never stored as variables.
             * @example {
             *       "s.base": "https://preview-42.shop.example"
             *     }
             */
            variables?: {
                [key: string]: string;
            };
        };
        /** @description The run is requested and starts soon. */
        RunRequested: {
            /**
             * @description Whether the request joined an earlier run that had not started.
             * @example false
             */
            joined: boolean;
            /**
             * @description Always true: failures have an error status.
             * @example true
             * @constant
             */
            ok: true;
            /**
             * Format: date-time
             * @description Whole seconds; pass it as `since` to find the run among the results.
             * @example 2026-11-20T12:30:00.000Z
             */
            requestedAt: string;
            /** @description The run as it is after the wait; only given with `wait`. */
            run?: components["schemas"]["Run"];
            /**
             * Format: uuid
             * @description The run that the request asked for, or joined.
             * @example 019aa0f4-8c3d-7e4f-9a5b-6c7d8e9f0a1b
             */
            runId: string;
            /**
             * @description The page of the run in the dashboard.
             * @example https://soundline.example.com/services/019aa0f0-1234-7abc-8def-0123456789ab/runs/019aa0f4-8c3d-7e4f-9a5b-6c7d8e9f0a1b
             */
            url: string;
        };
        /** @description The result of a run on one agent. */
        RunResult: {
            /**
             * @description The agent that executed or skipped it.
             * @example frankfurt
             */
            agentSlug: string;
            /**
             * Format: uuid
             * @description The id of the result.
             * @example 019aa0f4-7f2b-7c3d-8e4f-6a5b4c3d2e1f
             */
            id: string;
            /**
             * @description In milliseconds, pauses included.
             * @example 412
             */
            runDurationMs: number;
            /**
             * Format: date-time
             * @description When the agent started it, or when it was skipped.
             * @example 2026-11-20T12:30:00.000Z
             */
            startedAt: string;
            /**
             * @description The outcome of the run; `skipped` when the installation could not execute it when it was due.
             * @example failure
             */
            status: ("success" | "failure" | "timeout" | "skipped") | string;
            /**
             * @description What failed, or why a skipped run was not executed, in one line. Null for a run that passed.
             * @example GET https://shop.example/cart: status 500, expected 200
             */
            summary: string | null;
            /**
             * @description Sum of the calls' response times, in milliseconds.
             * @example 398
             */
            totalResponseMs: number;
            /**
             * @description The page of the result in the dashboard.
             * @example https://soundline.example.com/services/019aa0f0-1234-7abc-8def-0123456789ab/results/019aa0f4-7f2b-7c3d-8e4f-6a5b4c3d2e1f
             */
            url: string;
        };
        /** @description The body of `POST /services/{id}/run`. */
        RunServiceRequest: {
            /**
             * @description A note that is shown with the run, such as the deploy that it checks.
             * @example deploy 42
             */
            note?: string;
            /**
             * @description Values for this run alone, by scope and key: `o`, `w`, `p` or `s`, a dot, and the key. All keys and values together may have 16,384 characters. The variables must exist and must not be secrets. The values are shown with the run; they are never stored as variables.
             * @example {
             *       "s.base": "https://preview-42.shop.example"
             *     }
             */
            variables?: {
                [key: string]: string;
            };
        };
        /** @description The body of `POST /workspaces/{id}/run`. */
        RunWorkspaceRequest: {
            /**
             * @description Only services with this label.
             * @example checkout
             */
            label?: string;
            /**
             * @description A note that is shown with the run, such as the deploy that it checks.
             * @example deploy 42
             */
            note?: string;
            /**
             * @description Only services whose latest run ended like this: `failed` means a failure or a timeout, `new` that no run has ended yet.
             * @example failed
             * @enum {string}
             */
            state?: "failed" | "success" | "new";
            /**
             * @description Values for this run alone, by scope and key: `o`, `w`, `p` or `s`, a dot, and the key. All keys and values together may have 16,384 characters. The variables must exist and must not be secrets. The values are shown with the run; they are never stored as variables.
             * @example {
             *       "s.base": "https://preview-42.shop.example"
             *     }
             */
            variables?: {
                [key: string]: string;
            };
        };
        /** @description The body of `PATCH /services/{id}/script`. */
        SaveServiceScriptRequest: {
            /**
             * @description A probe script in the Lace language.
             * @example get("https://shop.example/health").expect(status: 200)
             */
            script: string;
            /**
             * @description The version that the script replaces; 1 for a service without a saved script.
             * @example 1
             */
            version: number;
        };
        /** @description A scripted HTTP probe with a schedule. */
        Service: {
            /** @description One per host, the next to expire first; at most 50. Empty without TLS. */
            certificates: components["schemas"]["ServiceCertificate"][];
            /**
             * Format: date-time
             * @description When it was created.
             * @example 2026-11-01T08:00:00.000Z
             */
            createdAt: string;
            /**
             * Format: uuid
             * @description The id of the service.
             * @example 019aa0f0-1234-7abc-8def-0123456789ab
             */
            id: string;
            /**
             * @description Whether the service is on, so that its runs are scheduled.
             * @example true
             */
            isActive: boolean;
            /**
             * @description A short text shown next to the name; null without one.
             * @example production
             */
            label: string | null;
            lastFailure?: components["schemas"]["LastFailure"];
            /**
             * @description The outcome of the last run that was executed. Skipped runs leave it as it is: after skipped runs alone it is null.
             * @example success
             */
            lastStatus: ("success" | "failure" | "timeout" | "skipped") | (string | null);
            /**
             * Format: date-time
             * @description When the current streak of this outcome began; null before the first run.
             * @example 2026-11-20T12:30:00.000Z
             */
            lastStatusSince: string | null;
            metrics?: components["schemas"]["ServiceMetrics"];
            /**
             * @description The name, unique in the project.
             * @example Checkout
             */
            name: string;
            /**
             * @description Which of its agents run a due service: `consecutive` (one, in turn), `simultaneous` (all) or `random` (one).
             * @example consecutive
             */
            probeMode: ("consecutive" | "simultaneous" | "random") | string;
            /**
             * Format: uuid
             * @description The id of the project.
             * @example 019aa0f0-2345-7abc-8def-0123456789ab
             */
            projectId: string;
            /**
             * @description What happens to a run that is due before the previous one has finished: `skip`, or `enqueue_once`, which runs it next (at most one waits).
             * @example skip
             */
            queuePolicy: ("skip" | "enqueue_once") | string;
            /**
             * @description Whether runs store the bodies of responses.
             * @example true
             */
            saveResponseBodies: boolean;
            /**
             * @description A cron expression of five fields, in UTC.
             * @example *\/5 * * * *
             */
            schedule: string;
            /**
             * @description The script. Null until the first one is saved.
             * @example get("https://shop.example/health").expect(status: 200)
             */
            script: string | null;
            /**
             * @description Whether each request of a run carries the W3C header `traceparent`, unless the script sets it. All requests of a run have one trace id, which the result shows.
             * @example false
             */
            sendTraceparent: boolean;
            /**
             * @description The maintenance window, `RRULE/minutes[/timezone]`; null without one.
             * @example null
             */
            serviceWindow: string | null;
            /**
             * @description `failing`: the last run failed. `degraded`: it passed with failed checks, or fewer than half of the agents fail. `passing`: it passed. `unknown`: two more slots of the schedule and a minute have passed since the first slot without a result, or each agent that may run the service has been lost for three minutes; the last run then says nothing about now. `pending`: the service is on and has not run yet. `paused`: it is off.
             * @example passing
             */
            state: ("failing" | "degraded" | "unknown" | "passing" | "pending" | "paused") | string;
            /**
             * Format: date-time
             * @description Since when the service is in this state. For `unknown`: the first slot without a result, or the last heartbeat of its agents, whichever is earlier. Null while it is paused.
             * @example 2026-11-20T12:30:00.000Z
             */
            stateSince: string | null;
            /**
             * @description Hosts that the script targets and the organization has not verified.
             * @example [
             *       "shop.example"
             *     ]
             */
            unverifiedTargets: string[];
            /**
             * @description Increases by one with every script save.
             * @example 2
             */
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
            /**
             * @description How many members would be notified.
             * @example 1
             */
            recipientsTotal: number;
            /**
             * Format: uuid
             * @description The id of the service.
             * @example 019aa0f0-1234-7abc-8def-0123456789ab
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
        /** @description A TLS certificate that the runs of a service see. Each host has the one that expires first of its chain, up to the authority, and of the chains that it shows. Hosts that no run has seen for a week are left out. */
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
             * @example 2026-11-20T12:00:00.000Z
             */
            lastSeenAt: string;
            /**
             * Format: date-time
             * @description When the certificate expires.
             * @example 2026-12-17T09:00:00.000Z
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
            /**
             * @description For workspaces only.
             * @example 1
             */
            projectCount?: number;
            /**
             * @description For projects and workspaces only.
             * @example 3
             */
            serviceCount?: number;
            state: components["schemas"]["MetricState"];
        };
        /** @description One page of a list; `total` is the count across all pages. */
        ServicePage: {
            /** @description The entries of this page. */
            items: components["schemas"]["Service"][];
            /**
             * @description The page that was read, from 1.
             * @example 1
             */
            page: number;
            /**
             * @description How many entries a page has at most.
             * @example 50
             */
            pageSize: number;
            /**
             * @description How many entries there are across all pages.
             * @example 1
             */
            total: number;
        };
        /** @description A service and its most recent runs in one read. */
        ServiceSnapshot: {
            /** @description The latest 50 runs at most, newest first. */
            recentProbes: components["schemas"]["RecentProbe"][];
            service: components["schemas"]["Service"];
        };
        /** @description The body of `PUT /access/{resourceType}/{resourceId}`. */
        SetAccessRequest: {
            /**
             * @description 1 read, 2 write.
             * @example 2
             * @enum {integer}
             */
            permissions: 1 | 2;
            /**
             * Format: uuid
             * @description The `userId` of a member, or the id of a group.
             * @example 019aa0e0-0202-7abc-8def-0123456789ab
             */
            principalId: string;
            /**
             * @description What gets the level: a member (`user`) or a `group`.
             * @example user
             * @enum {string}
             */
            principalType: "user" | "group";
        };
        /** @description The body of `PUT /services/{id}/agents`. */
        SetServiceAgentsRequest: {
            /**
             * @description Slugs of agents; an empty array means any shared agent.
             * @example [
             *       "frankfurt"
             *     ]
             */
            slugs: string[];
        };
        /** @description A rule that suppresses notifications to the calling user. */
        Silence: {
            /**
             * @description `email` (mails), `all` (every channel), or `quiet-hours` (mails of the whole organization; requires `quietHours` and no resource).
             * @example email
             */
            channel: ("email" | "all" | "quiet-hours") | string;
            /**
             * @description A JSON object in a string; null without one.
             * @example {"events":["service.recovered"]}
             */
            config: string | null;
            /**
             * Format: uuid
             * @description The id of the silence.
             * @example 019aa0f2-5b6c-7d7e-8f80-1b2c3d4e5f60
             */
            id: string;
            /**
             * Format: uuid
             * @description The caller's membership.
             * @example 019aa0f4-3c1a-7d2e-9f10-5b2f0c6d7e81
             */
            orgUserId: string;
            /**
             * Format: uuid
             * @description The project whose events are silenced; null for another scope.
             * @example 019aa0f0-2345-7abc-8def-0123456789ab
             */
            projectId: string | null;
            /**
             * @description The window in which the silence applies; null for always.
             * @example FREQ=DAILY;BYHOUR=22;BYMINUTE=0/480/Europe/Berlin
             */
            quietHours: string | null;
            /**
             * @description The name of the workspace, project or service; null without one, or when the caller cannot see it.
             * @example Storefront
             */
            resourceName: string | null;
            /**
             * Format: uuid
             * @description The service whose events are silenced; null for another scope. Without any id: all events.
             * @example null
             */
            serviceId: string | null;
            /**
             * Format: uuid
             * @description The workspace whose events are silenced; null for another scope.
             * @example null
             */
            workspaceId: string | null;
        };
        /** @description One page of a list; `total` is the count across all pages. */
        SilencePage: {
            /** @description The entries of this page. */
            items: components["schemas"]["Silence"][];
            /**
             * @description The page that was read, from 1.
             * @example 1
             */
            page: number;
            /**
             * @description How many entries a page has at most.
             * @example 50
             */
            pageSize: number;
            /**
             * @description How many entries there are across all pages.
             * @example 1
             */
            total: number;
        };
        /** @description An agent that did not execute its part of a run. */
        SkippedAgent: {
            /**
             * @description The agent.
             * @example frankfurt
             */
            agentSlug: string;
            /**
             * @description Why it did not execute its part. Null for runs that an older version stored.
             * @example the agent frankfurt was not connected
             */
            reason: string | null;
        };
        /** @description Latencies and uptime of a service over time. */
        Statistics: {
            /**
             * @description How long each bucket is.
             * @example hour
             */
            bucketType: ("hour" | "day") | string;
            /** @description Most called first. */
            endpoints: components["schemas"]["EndpointStatistics"][];
            /**
             * @description True when there are more than 50 endpoints.
             * @example false
             */
            endpointsTruncated: boolean;
            /** @description Oldest first; hours or days without runs are present. */
            overall: components["schemas"]["StatisticsBucket"][];
            /** @description The same per agent, by slug. */
            regions: components["schemas"]["Region"][];
            /**
             * @description The window, which ends now and consists of whole UTC hours (`24h`, `7d`) or days (`30d`, `90d`), the current one included.
             * @example 24h
             */
            window: ("24h" | "7d" | "30d" | "90d") | string;
        };
        /** @description The runs of one UTC hour or day. Percentiles are by nearest rank over the sums of the response times of each run; those of more than 128 runs are within 1 %. Skipped runs, runs without any response and runs with values of their own are left out. */
        StatisticsBucket: {
            /**
             * Format: date-time
             * @description Start of the bucket.
             * @example 2026-11-20T12:00:00.000Z
             */
            bucketStart: string;
            /**
             * @description Share of failed and timed-out runs; null without runs.
             * @example 8.33
             */
            errorRatePct: number | null;
            /**
             * @description Median in milliseconds; null without any.
             * @example 92
             */
            p50Ms: number | null;
            /**
             * @description 95th percentile in milliseconds; null without any.
             * @example 184
             */
            p95Ms: number | null;
            /**
             * @description 99th percentile in milliseconds; null without any.
             * @example 310
             */
            p99Ms: number | null;
            /**
             * @description Executed runs.
             * @example 12
             */
            probeCount: number;
            /**
             * @description Share of successful runs; null without runs.
             * @example 91.67
             */
            uptimePct: number | null;
        };
        /** @description The stored response body of a step. */
        StepBody: {
            /**
             * @description The body, as text or in base64.
             * @example {"greeting":"Ahoy"}
             */
            content: string;
            /**
             * @description Null when no content type was recorded, or when it is not safe to return.
             * @example application/json
             */
            contentType: string | null;
            /**
             * @description How `content` is encoded; null when it is plain text.
             * @example null
             */
            encoding: "base64" | (string | null);
        };
        /** @description The body of `PATCH /projects/{id}/services-toggle`. */
        ToggleProjectServicesRequest: {
            /**
             * @description True switches on, false switches off.
             * @example true
             */
            isActive: boolean;
        };
        /** @description What switching several services did. */
        ToggleResult: {
            /**
             * @description Services that were switched.
             * @example 9
             */
            changed: number;
            /**
             * @description Services that the request selects.
             * @example 12
             */
            matched: number;
            /** @description The first 100 services that could not be switched. */
            skipped: {
                /**
                 * @description The name of the service.
                 * @example Checkout
                 */
                name: string;
                /**
                 * @description The error code that says why.
                 * @example script_missing
                 */
                reason: string;
                /**
                 * Format: uuid
                 * @description The id of the service.
                 * @example 019aa0f0-1234-7abc-8def-0123456789ab
                 */
                serviceId: string;
            }[];
            /**
             * @description How many services were skipped, by error code.
             * @example {
             *       "script_missing": 1
             *     }
             */
            skippedByReason: {
                [key: string]: number;
            };
            /**
             * @description How many services could not be switched.
             * @example 1
             */
            skippedTotal: number;
            /**
             * @description Services that already were in the requested state.
             * @example 2
             */
            unchanged: number;
        };
        /** @description The body of `PATCH /services/{id}/toggle`. */
        ToggleServiceRequest: {
            /**
             * @description True switches on, false switches off.
             * @example true
             */
            isActive: boolean;
        };
        /** @description The body of `PATCH /workspaces/{id}/services-toggle`. */
        ToggleWorkspaceServicesRequest: {
            /**
             * @description True switches on, false switches off.
             * @example true
             */
            isActive: boolean;
        };
        /** @description The body of `PATCH /variables/{varId}`. */
        UpdateOrganizationVariableRequest: {
            /**
             * @description The hosts that a secret may be sent to: `api.example.com`, or `*.example.com` for all its subdomains, each optionally with a port. Empty for any host. Must be empty unless the type is secret.
             * @example [
             *       "api.example.com",
             *       "*.example.net:8443"
             *     ]
             */
            allowedHosts?: string[];
            /**
             * @description The value, which is stored encrypted.
             * @example https://shop.example
             */
            value: string;
        };
        /** @description The body of `PATCH /projects/{id}/variables/{varId}`. */
        UpdateProjectVariableRequest: {
            /**
             * @description The hosts that a secret may be sent to: `api.example.com`, or `*.example.com` for all its subdomains, each optionally with a port. Empty for any host. Must be empty unless the type is secret.
             * @example [
             *       "api.example.com",
             *       "*.example.net:8443"
             *     ]
             */
            allowedHosts?: string[];
            /**
             * @description The value, which is stored encrypted.
             * @example https://shop.example
             */
            value: string;
        };
        /** @description The body of `PATCH /services/{id}`. */
        UpdateServiceRequest: {
            /**
             * @description A short text shown next to the name; an empty one clears it.
             * @example production
             */
            label?: string | null;
            /**
             * @description The name. Trimmed; must not contain invisible characters, control characters or line breaks.
             * @example Checkout
             */
            name?: string;
            /**
             * @description Which of its agents run a due service: `consecutive` (one, in turn), `simultaneous` (all) or `random` (one).
             * @example consecutive
             * @enum {string}
             */
            probeMode?: "consecutive" | "simultaneous" | "random";
            /**
             * @description What happens to a run that is due before the previous one has finished: `skip`, or `enqueue_once`, which runs it next (at most one waits).
             * @example skip
             * @enum {string}
             */
            queuePolicy?: "skip" | "enqueue_once";
            /**
             * @description Whether runs store the bodies of responses.
             * @example true
             */
            saveResponseBodies?: boolean;
            /**
             * @description A cron expression of five fields, in UTC.
             * @example *\/5 * * * *
             */
            schedule?: string;
            /**
             * @description A probe script in the Lace language.
             * @example get("https://shop.example/health").expect(status: 200)
             */
            script?: string;
            /**
             * @description Whether each request of a run carries the W3C header `traceparent`, unless the script sets it. All requests of a run have one trace id, which the result shows.
             * @example true
             */
            sendTraceparent?: boolean;
            /**
             * @description A maintenance window, `RRULE/minutes[/timezone]`. While it is open, no scheduled runs start. An empty text or null removes it.
             * @example FREQ=WEEKLY;BYDAY=SU;BYHOUR=3;BYMINUTE=0/60/Europe/Berlin
             */
            serviceWindow?: string | null;
            /**
             * @description Required with a script: the version that it replaces.
             * @example 1
             */
            version?: number;
        };
        /** @description The body of `PATCH /services/{id}/variables/{varId}`. */
        UpdateServiceVariableRequest: {
            /**
             * @description The hosts that a secret may be sent to: `api.example.com`, or `*.example.com` for all its subdomains, each optionally with a port. Empty for any host. Must be empty unless the type is secret.
             * @example [
             *       "api.example.com",
             *       "*.example.net:8443"
             *     ]
             */
            allowedHosts?: string[];
            /**
             * @description The value, which is stored encrypted.
             * @example https://shop.example
             */
            value: string;
        };
        /** @description The body of `PATCH /silences/{id}`. */
        UpdateSilenceRequest: {
            /**
             * @description `email` (mails), `all` (every channel), or `quiet-hours` (mails of the whole organization; requires `quietHours` and no resource).
             * @example email
             * @enum {string}
             */
            channel?: "email" | "all" | "quiet-hours";
            /**
             * @description A JSON object in a string. Known keys: `events` (array of event kinds; all when absent), `until` (ISO-8601, in the future).
             * @example {"events":["service.recovered"]}
             */
            config?: string | null;
            /**
             * @description `RRULE[/minutes[/timezone]]`; by default 60 minutes and the time zone of the organization. The silence applies only while the window is open.
             * @example FREQ=DAILY;BYHOUR=22;BYMINUTE=0/480/Europe/Berlin
             */
            quietHours?: string | null;
        };
        /** @description The body of `PATCH /webhooks/bindings/{id}`. */
        UpdateWebhookBindingRequest: {
            /**
             * @description False pauses the binding, true resumes it.
             * @example false
             */
            enabled: boolean;
        };
        /** @description The body of `PATCH /workspaces/{id}/variables/{varId}`. */
        UpdateWorkspaceVariableRequest: {
            /**
             * @description The hosts that a secret may be sent to: `api.example.com`, or `*.example.com` for all its subdomains, each optionally with a port. Empty for any host. Must be empty unless the type is secret.
             * @example [
             *       "api.example.com",
             *       "*.example.net:8443"
             *     ]
             */
            allowedHosts?: string[];
            /**
             * @description The value, which is stored encrypted.
             * @example https://shop.example
             */
            value: string;
        };
        /** @description A value that scripts read by its scope and key. */
        Variable: {
            /**
             * @description The hosts that a secret may be sent to; empty for any host, and for other types.
             * @example []
             */
            allowedHosts: string[];
            /**
             * Format: date-time
             * @description When it was created.
             * @example 2026-11-01T08:00:00.000Z
             */
            createdAt: string;
            /**
             * Format: uuid
             * @description The id of the variable.
             * @example 019aa0f1-4a5b-7c6d-8e7f-0a1b2c3d4e5f
             */
            id: string;
            /**
             * @description True when a script created the variable with `.store`; it is read-only then.
             * @example false
             */
            isScriptWritten: boolean;
            /**
             * @description The name in scripts.
             * @example base_url
             */
            key: string;
            /**
             * @description True when `value` is the mask.
             * @example true
             */
            masked: boolean;
            /**
             * @description Set for variables that Soundline creates for every service; otherwise null.
             * @example null
             */
            systemType: ("integer" | "boolean") | (string | null);
            /**
             * @description `variable` or `secret`: both are stored encrypted and never shown; results mask secrets. `metric`: a value that is shown, and that scripts write.
             * @example variable
             */
            type: ("variable" | "secret" | "metric") | string;
            /**
             * Format: date-time
             * @description When it was last changed.
             * @example 2026-11-20T12:30:00.000Z
             */
            updatedAt: string;
            /**
             * @description The stored value of a metric; otherwise the mask ••••••.
             * @example ••••••
             */
            value: string;
        };
        /** @description Every variable that a resource can use, from its own scope up to the organization. */
        VariableHierarchy: {
            /** @description The scope of the resource first, the organization last. */
            scopes: components["schemas"]["VariableScope"][];
        };
        /** @description One page of a list; `total` is the count across all pages. */
        VariablePage: {
            /** @description The entries of this page. */
            items: components["schemas"]["Variable"][];
            /**
             * @description The page that was read, from 1.
             * @example 1
             */
            page: number;
            /**
             * @description How many entries a page has at most.
             * @example 50
             */
            pageSize: number;
            /**
             * @description How many entries there are across all pages.
             * @example 1
             */
            total: number;
        };
        /** @description The variables of one scope. */
        VariableScope: {
            /**
             * @description Whether the caller may write here.
             * @example true
             */
            editable: boolean;
            /** @description Its computed variables, whose keys are reserved. */
            locked: components["schemas"]["LockedVariable"][];
            /**
             * @description How a script addresses the scope.
             * @example $s.
             */
            prefix: string;
            /**
             * Format: uuid
             * @description The id of the resource, or of the organization.
             * @example 019aa0f0-1234-7abc-8def-0123456789ab
             */
            resourceId: string;
            /**
             * @description The name of the resource or the organization.
             * @example Checkout
             */
            resourceName: string;
            /**
             * @description Which scope it is.
             * @example service
             */
            scope: ("organization" | "workspace" | "project" | "service") | string;
            /** @description The variables of the scope, oldest first. */
            variables: components["schemas"]["Variable"][];
        };
        /** @description A webhook without its URL, headers, body and configuration, which are never shown. */
        Webhook: {
            /**
             * Format: date-time
             * @description When it was created.
             * @example 2026-11-01T08:00:00.000Z
             */
            createdAt: string;
            /**
             * Format: uuid
             * @description The id of the webhook.
             * @example 019aa0f1-6c7d-7e8f-8091-2c3d4e5f6071
             */
            id: string;
            /**
             * @description A short text shown next to the name; null without one.
             * @example on call
             */
            label: string | null;
            /**
             * @description The HTTP method of its requests.
             * @example POST
             */
            method: string;
            /**
             * @description The name, unique in the organization.
             * @example Pager
             */
            name: string;
        };
        /** @description While enabled, sends the events of a resource and everything in it to a webhook. */
        WebhookBinding: {
            /**
             * Format: date-time
             * @description When it was created.
             * @example 2026-11-01T08:00:00.000Z
             */
            createdAt: string;
            /**
             * @description False while the binding is paused.
             * @example true
             */
            enabled: boolean;
            /**
             * Format: uuid
             * @description The id of the webhook binding.
             * @example 019aa0f1-7d8e-7f90-81a2-3d4e5f607182
             */
            id: string;
            /**
             * Format: uuid
             * @description The id of the webhook.
             * @example 019aa0f1-6c7d-7e8f-8091-2c3d4e5f6071
             */
            webhookId: string;
            /**
             * @description The name of the webhook.
             * @example Pager
             */
            webhookName: string;
        };
        /** @description One page of a list; `total` is the count across all pages. */
        WebhookBindingPage: {
            /** @description The entries of this page. */
            items: components["schemas"]["WebhookBinding"][];
            /**
             * @description The page that was read, from 1.
             * @example 1
             */
            page: number;
            /**
             * @description How many entries a page has at most.
             * @example 50
             */
            pageSize: number;
            /**
             * @description How many entries there are across all pages.
             * @example 1
             */
            total: number;
        };
        /** @description One page of a list; `total` is the count across all pages. */
        WebhookPage: {
            /** @description The entries of this page. */
            items: components["schemas"]["Webhook"][];
            /**
             * @description The page that was read, from 1.
             * @example 1
             */
            page: number;
            /**
             * @description How many entries a page has at most.
             * @example 50
             */
            pageSize: number;
            /**
             * @description How many entries there are across all pages.
             * @example 1
             */
            total: number;
        };
        /** @description A container of projects. */
        Workspace: {
            /**
             * Format: date-time
             * @description When it was created.
             * @example 2026-11-01T08:00:00.000Z
             */
            createdAt: string;
            /**
             * Format: uuid
             * @description The id of the workspace.
             * @example 019aa0f0-3456-7abc-8def-0123456789ab
             */
            id: string;
            /**
             * @description The name, unique in the organization.
             * @example Web shop
             */
            name: string;
        };
        /** @description One page of a list; `total` is the count across all pages. */
        WorkspacePage: {
            /** @description The entries of this page. */
            items: components["schemas"]["Workspace"][];
            /**
             * @description The page that was read, from 1.
             * @example 1
             */
            page: number;
            /**
             * @description How many entries a page has at most.
             * @example 50
             */
            pageSize: number;
            /**
             * @description How many entries there are across all pages.
             * @example 1
             */
            total: number;
        };
    };
    responses: {
        /**
         * @description - `field_invalid`: A parameter or a checked value is not accepted. Details: field, reason, max, errors, unknown.
         *     - `field_required`: A required parameter or checked value is missing. Details: field, errors.
         *     - `invalid_uuid`: An id is not a UUID. Details: field, errors.
         *     - `invalid_request_body`: The body is not a JSON object, or one of its fields is not accepted. Details: field, reason, errors.
         *     - `invalid_path`: The path is not in its canonical form.
         *     - `blocked_probe_target`: The script targets a URL that probes must not request: one with a private, loopback or reserved address, an address of the server itself, an internal name, a scheme other than http and https, a port of another protocol (the bad ports of the Fetch standard), or a user name or password. `details.reason` says which. Details: field, reason, callIndex.
         *     - `unverified_domain_call_limit`: The script makes more than three calls while it targets an unverified domain. Details: field, reason, max, hosts.
         *     - `unverified_domain_includes`: The script uses an includes check while it targets an unverified domain. Details: field, reason, hosts.
         *     - `unverified_domain_interval`: The schedule runs more often than every five minutes while the script targets an unverified domain. Details: field, reason, hosts.
         *     - `variable_limit_reached`: The scope has reached its limit of variables. Details: max.
         *     - `silence_limit_reached`: The member has reached the limit of silences. Details: max.
         *     - `note_limit_reached`: The incident has reached its limit of notes. Details: max.
         *     - `run_limit_reached`: The service has reached its limit of waiting runs with values. Details: max.
         *     - `reserved_key`: A computed variable of the scope has this name. Details: key.
         *     - `readonly_variable`: Only scripts can write this variable. Details: key.
         *     - `system_variable`: Soundline creates this variable for every service; it cannot be deleted. Details: key.
         */
        BadRequest: {
            headers: {
                "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /**
         * @description - `already_exists`: A resource with this name or key already exists. Details: field, id.
         *     - `version_conflict`: The version is not the current one. Details: field, version.
         *     - `service_inactive`: The service is switched off.
         *     - `script_missing`: The service has no script.
         *     - `run_started`: All agents of the run have started or ended.
         *     - `binding_exists`: The webhook is already bound to the resource. Details: field, id.
         *     - `idempotency_mismatch`: The `Idempotency-Key` was used for another request within 24 hours.
         *     - `idempotency_in_progress`: The first request with this `Idempotency-Key` is still running; wait for Retry-After seconds.
         */
        Conflict: {
            headers: {
                "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                "Retry-After": components["headers"]["Retry-After"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /**
         * @description - `body_too_large`: The stored body is too large to be served inline. Details: maxBytes.
         *     - `request_body_too_large`: The request body is over the limit. Details: maxBytes.
         */
        ContentTooLarge: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /**
         * @description - `api_key_read_only`: A read key sent a method other than GET or HEAD.
         *     - `totp_enrollment_required`: The organization or a group requires two-factor authentication, and the member has not enrolled.
         *     - `insufficient_permissions`: The member lacks the organization permission that the endpoint requires.
         */
        Forbidden: {
            headers: {
                "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description - `body_gone`: The body was recorded, but it is no longer stored. */
        Gone: {
            headers: {
                "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description - `internal_error`: The server failed. */
        InternalServerError: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description - `not_found`: The resource does not exist, or the member may not see or change it. Details: field. */
        NotFound: {
            headers: {
                "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /**
         * @description - `body_store_unavailable`: The body store did not respond in time; wait for Retry-After seconds.
         *     - `service_unavailable`: The database does not respond or its disk is full, or too many requests wait for it; wait for Retry-After seconds. A write may have taken effect.
         */
        ServiceUnavailable: {
            headers: {
                "Retry-After": components["headers"]["Retry-After"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /**
         * @description - `rate_limited`: The key is over its rate limit; wait for Retry-After seconds.
         *     - `too_many_unknown_keys`: The address sent too many requests with unknown or no tokens; wait for Retry-After seconds.
         */
        TooManyRequests: {
            headers: {
                "Retry-After": components["headers"]["Retry-After"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
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
                "application/json": components["schemas"]["Error"];
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: {
        /** @description Of a POST: `true` when this is the response to an earlier request with the same `Idempotency-Key`. */
        "Idempotency-Replayed": string;
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
                /**
                 * @description The id of the workspace, project or service.
                 * @example 019aa0f0-2345-7abc-8def-0123456789ab
                 */
                resourceId: string;
                /**
                 * @description What the resource is.
                 * @example project
                 */
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
                    /**
                     * @example [
                     *       {
                     *         "principalType": "user",
                     *         "principalId": "019aa0e0-0202-7abc-8def-0123456789ab",
                     *         "name": "Ada Lovelace",
                     *         "email": "ada@example.com",
                     *         "permissions": 2
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["AccessEntry"][];
                };
            };
            /**
             * @description - `field_invalid`: A parameter or a checked value is not accepted. Details: field, reason, max, errors, unknown.
             *     - `invalid_uuid`: An id is not a UUID. Details: field, errors.
             *     - `invalid_path`: The path is not in its canonical form.
             */
            400: components["responses"]["BadRequest"];
            /**
             * @description - `missing_auth_header`: The request has no Authorization header.
             *     - `invalid_token`: The Authorization header has no bearer token.
             *     - `invalid_api_key`: No key matches the token.
             *     - `api_key_revoked`: The key was revoked, which is permanent.
             *     - `api_key_expired`: The key has expired.
             *     - `api_key_owner_inactive`: The member's membership or account is disabled or was removed.
             */
            401: components["responses"]["Unauthorized"];
            /** @description - `totp_enrollment_required`: The organization or a group requires two-factor authentication, and the member has not enrolled. */
            403: components["responses"]["Forbidden"];
            /** @description - `not_found`: The resource does not exist, or the member may not see or change it. Details: field. */
            404: components["responses"]["NotFound"];
            /**
             * @description - `rate_limited`: The key is over its rate limit; wait for Retry-After seconds.
             *     - `too_many_unknown_keys`: The address sent too many requests with unknown or no tokens; wait for Retry-After seconds.
             */
            429: components["responses"]["TooManyRequests"];
            /** @description - `internal_error`: The server failed. */
            500: components["responses"]["InternalServerError"];
            /** @description - `service_unavailable`: The database does not respond or its disk is full, or too many requests wait for it; wait for Retry-After seconds. A write may have taken effect. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    setAccess: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the workspace, project or service.
                 * @example 019aa0f0-2345-7abc-8def-0123456789ab
                 */
                resourceId: string;
                /**
                 * @description What the resource is.
                 * @example project
                 */
                resourceType: "workspace" | "project" | "service";
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "principalType": "user",
                 *       "principalId": "019aa0e0-0202-7abc-8def-0123456789ab",
                 *       "permissions": 2
                 *     }
                 */
                "application/json": components["schemas"]["SetAccessRequest"];
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
                    /**
                     * @example {
                     *       "ok": true
                     *     }
                     */
                    "application/json": components["schemas"]["Ok"];
                };
            };
            /**
             * @description - `field_invalid`: A parameter or a checked value is not accepted. Details: field, reason, max, errors, unknown.
             *     - `invalid_uuid`: An id is not a UUID. Details: field, errors.
             *     - `invalid_request_body`: The body is not a JSON object, or one of its fields is not accepted. Details: field, reason, errors.
             *     - `invalid_path`: The path is not in its canonical form.
             */
            400: components["responses"]["BadRequest"];
            /**
             * @description - `missing_auth_header`: The request has no Authorization header.
             *     - `invalid_token`: The Authorization header has no bearer token.
             *     - `invalid_api_key`: No key matches the token.
             *     - `api_key_revoked`: The key was revoked, which is permanent.
             *     - `api_key_expired`: The key has expired.
             *     - `api_key_owner_inactive`: The member's membership or account is disabled or was removed.
             */
            401: components["responses"]["Unauthorized"];
            /**
             * @description - `api_key_read_only`: A read key sent a method other than GET or HEAD.
             *     - `totp_enrollment_required`: The organization or a group requires two-factor authentication, and the member has not enrolled.
             */
            403: components["responses"]["Forbidden"];
            /** @description - `not_found`: The resource does not exist, or the member may not see or change it. Details: field. */
            404: components["responses"]["NotFound"];
            /** @description - `request_body_too_large`: The request body is over the limit. Details: maxBytes. */
            413: components["responses"]["ContentTooLarge"];
            /**
             * @description - `rate_limited`: The key is over its rate limit; wait for Retry-After seconds.
             *     - `too_many_unknown_keys`: The address sent too many requests with unknown or no tokens; wait for Retry-After seconds.
             */
            429: components["responses"]["TooManyRequests"];
            /** @description - `internal_error`: The server failed. */
            500: components["responses"]["InternalServerError"];
            /** @description - `service_unavailable`: The database does not respond or its disk is full, or too many requests wait for it; wait for Retry-After seconds. A write may have taken effect. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    removeAccess: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The `userId` of a member, or the id of a group.
                 * @example 019aa0e0-0202-7abc-8def-0123456789ab
                 */
                principalId: string;
                /**
                 * @description What gets the level: a member (`user`) or a `group`.
                 * @example user
                 */
                principalType: "user" | "group";
                /**
                 * @description The id of the workspace, project or service.
                 * @example 019aa0f0-2345-7abc-8def-0123456789ab
                 */
                resourceId: string;
                /**
                 * @description What the resource is.
                 * @example project
                 */
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
                    /**
                     * @example {
                     *       "ok": true
                     *     }
                     */
                    "application/json": components["schemas"]["Ok"];
                };
            };
            /**
             * @description - `field_invalid`: A parameter or a checked value is not accepted. Details: field, reason, max, errors, unknown.
             *     - `invalid_uuid`: An id is not a UUID. Details: field, errors.
             *     - `invalid_request_body`: The body is not a JSON object, or one of its fields is not accepted. Details: field, reason, errors.
             *     - `invalid_path`: The path is not in its canonical form.
             */
            400: components["responses"]["BadRequest"];
            /**
             * @description - `missing_auth_header`: The request has no Authorization header.
             *     - `invalid_token`: The Authorization header has no bearer token.
             *     - `invalid_api_key`: No key matches the token.
             *     - `api_key_revoked`: The key was revoked, which is permanent.
             *     - `api_key_expired`: The key has expired.
             *     - `api_key_owner_inactive`: The member's membership or account is disabled or was removed.
             */
            401: components["responses"]["Unauthorized"];
            /**
             * @description - `api_key_read_only`: A read key sent a method other than GET or HEAD.
             *     - `totp_enrollment_required`: The organization or a group requires two-factor authentication, and the member has not enrolled.
             */
            403: components["responses"]["Forbidden"];
            /** @description - `not_found`: The resource does not exist, or the member may not see or change it. Details: field. */
            404: components["responses"]["NotFound"];
            /** @description - `request_body_too_large`: The request body is over the limit. Details: maxBytes. */
            413: components["responses"]["ContentTooLarge"];
            /**
             * @description - `rate_limited`: The key is over its rate limit; wait for Retry-After seconds.
             *     - `too_many_unknown_keys`: The address sent too many requests with unknown or no tokens; wait for Retry-After seconds.
             */
            429: components["responses"]["TooManyRequests"];
            /** @description - `internal_error`: The server failed. */
            500: components["responses"]["InternalServerError"];
            /** @description - `service_unavailable`: The database does not respond or its disk is full, or too many requests wait for it; wait for Retry-After seconds. A write may have taken effect. */
            503: components["responses"]["ServiceUnavailable"];
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
                    /**
                     * @example [
                     *       {
                     *         "id": "019aa0f4-1111-7aaa-8bbb-2c3d4e5f6a7b",
                     *         "slug": "frankfurt",
                     *         "label": "Frankfurt, Germany",
                     *         "kind": "remote",
                     *         "isShared": false
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["Agent"][];
                };
            };
            /**
             * @description - `field_invalid`: A parameter or a checked value is not accepted. Details: field, reason, max, errors, unknown.
             *     - `invalid_path`: The path is not in its canonical form.
             */
            400: components["responses"]["BadRequest"];
            /**
             * @description - `missing_auth_header`: The request has no Authorization header.
             *     - `invalid_token`: The Authorization header has no bearer token.
             *     - `invalid_api_key`: No key matches the token.
             *     - `api_key_revoked`: The key was revoked, which is permanent.
             *     - `api_key_expired`: The key has expired.
             *     - `api_key_owner_inactive`: The member's membership or account is disabled or was removed.
             */
            401: components["responses"]["Unauthorized"];
            /** @description - `totp_enrollment_required`: The organization or a group requires two-factor authentication, and the member has not enrolled. */
            403: components["responses"]["Forbidden"];
            /**
             * @description - `rate_limited`: The key is over its rate limit; wait for Retry-After seconds.
             *     - `too_many_unknown_keys`: The address sent too many requests with unknown or no tokens; wait for Retry-After seconds.
             */
            429: components["responses"]["TooManyRequests"];
            /** @description - `internal_error`: The server failed. */
            500: components["responses"]["InternalServerError"];
            /** @description - `service_unavailable`: The database does not respond or its disk is full, or too many requests wait for it; wait for Retry-After seconds. A write may have taken effect. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getAgentHealth: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the agent.
                 * @example 019aa0f4-1111-7aaa-8bbb-2c3d4e5f6a7b
                 */
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
                    /**
                     * @example {
                     *       "id": "019aa0f4-1111-7aaa-8bbb-2c3d4e5f6a7b",
                     *       "slug": "frankfurt",
                     *       "isActive": true,
                     *       "isAlive": true,
                     *       "processes": 2,
                     *       "versions": [
                     *         "0.4.50"
                     *       ],
                     *       "version": "0.4.50",
                     *       "address": "203.0.113.7",
                     *       "capacity": {
                     *         "slots": 500,
                     *         "busy": 12
                     *       },
                     *       "load": 0.07,
                     *       "latenessMs": 3,
                     *       "clockOffsetMs": -42,
                     *       "lastSeenAt": "2026-11-20T12:29:58.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["AgentHealth"];
                };
            };
            /**
             * @description - `invalid_uuid`: An id is not a UUID. Details: field, errors.
             *     - `invalid_path`: The path is not in its canonical form.
             */
            400: components["responses"]["BadRequest"];
            /**
             * @description - `missing_auth_header`: The request has no Authorization header.
             *     - `invalid_token`: The Authorization header has no bearer token.
             *     - `invalid_api_key`: No key matches the token.
             *     - `api_key_revoked`: The key was revoked, which is permanent.
             *     - `api_key_expired`: The key has expired.
             *     - `api_key_owner_inactive`: The member's membership or account is disabled or was removed.
             */
            401: components["responses"]["Unauthorized"];
            /**
             * @description - `totp_enrollment_required`: The organization or a group requires two-factor authentication, and the member has not enrolled.
             *     - `insufficient_permissions`: The member lacks the organization permission that the endpoint requires.
             */
            403: components["responses"]["Forbidden"];
            /** @description - `not_found`: The resource does not exist, or the member may not see or change it. Details: field. */
            404: components["responses"]["NotFound"];
            /**
             * @description - `rate_limited`: The key is over its rate limit; wait for Retry-After seconds.
             *     - `too_many_unknown_keys`: The address sent too many requests with unknown or no tokens; wait for Retry-After seconds.
             */
            429: components["responses"]["TooManyRequests"];
            /** @description - `internal_error`: The server failed. */
            500: components["responses"]["InternalServerError"];
            /** @description - `service_unavailable`: The database does not respond or its disk is full, or too many requests wait for it; wait for Retry-After seconds. A write may have taken effect. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getAgentHistory: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the agent.
                 * @example 019aa0f4-1111-7aaa-8bbb-2c3d4e5f6a7b
                 */
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
                    /**
                     * @example {
                     *       "slug": "frankfurt",
                     *       "since": "2026-10-21T12:00:00.000Z",
                     *       "until": "2026-11-20T12:30:00.000Z",
                     *       "availability": 99.98,
                     *       "hours": [
                     *         {
                     *           "hour": "2026-11-20T12:00:00.000Z",
                     *           "aliveSeconds": 3600,
                     *           "slots": 500,
                     *           "busyMax": 31,
                     *           "loadMax": 0.22,
                     *           "latenessMaxMs": 18,
                     *           "runs": 1260
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["AgentHistory"];
                };
            };
            /**
             * @description - `invalid_uuid`: An id is not a UUID. Details: field, errors.
             *     - `invalid_path`: The path is not in its canonical form.
             */
            400: components["responses"]["BadRequest"];
            /**
             * @description - `missing_auth_header`: The request has no Authorization header.
             *     - `invalid_token`: The Authorization header has no bearer token.
             *     - `invalid_api_key`: No key matches the token.
             *     - `api_key_revoked`: The key was revoked, which is permanent.
             *     - `api_key_expired`: The key has expired.
             *     - `api_key_owner_inactive`: The member's membership or account is disabled or was removed.
             */
            401: components["responses"]["Unauthorized"];
            /**
             * @description - `totp_enrollment_required`: The organization or a group requires two-factor authentication, and the member has not enrolled.
             *     - `insufficient_permissions`: The member lacks the organization permission that the endpoint requires.
             */
            403: components["responses"]["Forbidden"];
            /** @description - `not_found`: The resource does not exist, or the member may not see or change it. Details: field. */
            404: components["responses"]["NotFound"];
            /**
             * @description - `rate_limited`: The key is over its rate limit; wait for Retry-After seconds.
             *     - `too_many_unknown_keys`: The address sent too many requests with unknown or no tokens; wait for Retry-After seconds.
             */
            429: components["responses"]["TooManyRequests"];
            /** @description - `internal_error`: The server failed. */
            500: components["responses"]["InternalServerError"];
            /** @description - `service_unavailable`: The database does not respond or its disk is full, or too many requests wait for it; wait for Retry-After seconds. A write may have taken effect. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getBatch: {
        parameters: {
            query?: {
                /**
                 * @description How many seconds to wait for the end: the response is sent when everything is done, or after this time with the current state. A request that waits counts once against the rate limit.
                 * @example 30
                 */
                wait?: number;
            };
            header?: never;
            path: {
                /**
                 * @description The id of the batch.
                 * @example 019aa0f4-7b2c-7d3e-8f4a-5b6c7d8e9f0a
                 */
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
                    /**
                     * @example {
                     *       "id": "019aa0f4-7b2c-7d3e-8f4a-5b6c7d8e9f0a",
                     *       "url": "https://soundline.example.com/batches/019aa0f4-7b2c-7d3e-8f4a-5b6c7d8e9f0a",
                     *       "state": "done",
                     *       "requestedAt": "2026-11-20T12:30:00.000Z",
                     *       "createdAt": "2026-11-20T12:30:00.000Z",
                     *       "note": "deploy 42",
                     *       "total": 1,
                     *       "passed": 0,
                     *       "failed": 1,
                     *       "timedOut": 0,
                     *       "incomplete": 0,
                     *       "skipped": 0,
                     *       "cancelled": 0,
                     *       "pending": 0,
                     *       "runs": [
                     *         {
                     *           "serviceId": "019aa0f0-1234-7abc-8def-0123456789ab",
                     *           "serviceName": "Checkout",
                     *           "runId": "019aa0f4-8c3d-7e4f-9a5b-6c7d8e9f0a1b",
                     *           "url": "https://soundline.example.com/services/019aa0f0-1234-7abc-8def-0123456789ab/runs/019aa0f4-8c3d-7e4f-9a5b-6c7d8e9f0a1b",
                     *           "state": "done",
                     *           "outcome": "failure",
                     *           "summary": "GET https://shop.example/cart: status 500, expected 200",
                     *           "skippedAgents": [
                     *             {
                     *               "agentSlug": "frankfurt",
                     *               "reason": "the agent frankfurt was not connected"
                     *             }
                     *           ],
                     *           "reason": null
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Batch"];
                };
            };
            /**
             * @description - `field_invalid`: A parameter or a checked value is not accepted. Details: field, reason, max, errors, unknown.
             *     - `invalid_uuid`: An id is not a UUID. Details: field, errors.
             *     - `invalid_path`: The path is not in its canonical form.
             */
            400: components["responses"]["BadRequest"];
            /**
             * @description - `missing_auth_header`: The request has no Authorization header.
             *     - `invalid_token`: The Authorization header has no bearer token.
             *     - `invalid_api_key`: No key matches the token.
             *     - `api_key_revoked`: The key was revoked, which is permanent.
             *     - `api_key_expired`: The key has expired.
             *     - `api_key_owner_inactive`: The member's membership or account is disabled or was removed.
             */
            401: components["responses"]["Unauthorized"];
            /** @description - `totp_enrollment_required`: The organization or a group requires two-factor authentication, and the member has not enrolled. */
            403: components["responses"]["Forbidden"];
            /** @description - `not_found`: The resource does not exist, or the member may not see or change it. Details: field. */
            404: components["responses"]["NotFound"];
            /**
             * @description - `rate_limited`: The key is over its rate limit; wait for Retry-After seconds.
             *     - `too_many_unknown_keys`: The address sent too many requests with unknown or no tokens; wait for Retry-After seconds.
             */
            429: components["responses"]["TooManyRequests"];
            /** @description - `internal_error`: The server failed. */
            500: components["responses"]["InternalServerError"];
            /** @description - `service_unavailable`: The database does not respond or its disk is full, or too many requests wait for it; wait for Retry-After seconds. A write may have taken effect. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listGroups: {
        parameters: {
            query?: {
                /**
                 * @description The page to read, from 1. `page` times `pageSize` is at most 100,000.
                 * @example 1
                 */
                page?: number;
                /**
                 * @description How many entries a page has at most.
                 * @example 50
                 */
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
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "id": "019aa0e0-0404-7abc-8def-0123456789ab",
                     *           "name": "DevOps",
                     *           "memberCount": 4
                     *         }
                     *       ],
                     *       "total": 1,
                     *       "page": 1,
                     *       "pageSize": 50
                     *     }
                     */
                    "application/json": components["schemas"]["GroupPage"];
                };
            };
            /**
             * @description - `field_invalid`: A parameter or a checked value is not accepted. Details: field, reason, max, errors, unknown.
             *     - `invalid_path`: The path is not in its canonical form.
             */
            400: components["responses"]["BadRequest"];
            /**
             * @description - `missing_auth_header`: The request has no Authorization header.
             *     - `invalid_token`: The Authorization header has no bearer token.
             *     - `invalid_api_key`: No key matches the token.
             *     - `api_key_revoked`: The key was revoked, which is permanent.
             *     - `api_key_expired`: The key has expired.
             *     - `api_key_owner_inactive`: The member's membership or account is disabled or was removed.
             */
            401: components["responses"]["Unauthorized"];
            /**
             * @description - `totp_enrollment_required`: The organization or a group requires two-factor authentication, and the member has not enrolled.
             *     - `insufficient_permissions`: The member lacks the organization permission that the endpoint requires.
             */
            403: components["responses"]["Forbidden"];
            /**
             * @description - `rate_limited`: The key is over its rate limit; wait for Retry-After seconds.
             *     - `too_many_unknown_keys`: The address sent too many requests with unknown or no tokens; wait for Retry-After seconds.
             */
            429: components["responses"]["TooManyRequests"];
            /** @description - `internal_error`: The server failed. */
            500: components["responses"]["InternalServerError"];
            /** @description - `service_unavailable`: The database does not respond or its disk is full, or too many requests wait for it; wait for Retry-After seconds. A write may have taken effect. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listIncidents: {
        parameters: {
            query?: {
                /**
                 * @description The page to read, from 1. `page` times `pageSize` is at most 100,000.
                 * @example 1
                 */
                page?: number;
                /**
                 * @description How many entries a page has at most.
                 * @example 50
                 */
                pageSize?: number;
                /**
                 * @description Only incidents of services in this project.
                 * @example 019aa0f0-2345-7abc-8def-0123456789ab
                 */
                projectId?: string;
                /**
                 * @description Only incidents of this service.
                 * @example 019aa0f0-1234-7abc-8def-0123456789ab
                 */
                serviceId?: string;
                /**
                 * @description Only open or only closed incidents.
                 * @example open
                 */
                state?: "open" | "closed";
                /**
                 * @description Only incidents of services in this workspace. At most one of the three ids may be given.
                 * @example 019aa0f0-3456-7abc-8def-0123456789ab
                 */
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
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "id": "019aa0f4-9a8b-7c6d-8e5f-4a3b2c1d0e9f",
                     *           "serviceId": "019aa0f0-1234-7abc-8def-0123456789ab",
                     *           "serviceName": "Checkout",
                     *           "projectId": "019aa0f0-2345-7abc-8def-0123456789ab",
                     *           "workspaceId": "019aa0f0-3456-7abc-8def-0123456789ab",
                     *           "state": "open",
                     *           "openedAt": "2026-11-20T12:30:00.000Z",
                     *           "closedAt": null,
                     *           "failingSince": "2026-11-20T12:20:00.000Z",
                     *           "durationMs": 600000,
                     *           "summary": "GET https://shop.example/cart: status 500, expected 200",
                     *           "failure": {
                     *             "summary": "GET https://shop.example/cart: status 500, expected 200 (2 more failed)",
                     *             "cause": "status 500, expected 200",
                     *             "status": "failure",
                     *             "step": {
                     *               "stepNum": 2,
                     *               "method": "GET",
                     *               "url": "https://shop.example/cart",
                     *               "statusCode": 500
                     *             },
                     *             "assertion": {
                     *               "stepNum": 2,
                     *               "method": "expect",
                     *               "scope": "status",
                     *               "op": "eq",
                     *               "expected": 200,
                     *               "actual": 500,
                     *               "expression": null,
                     *               "actualLhs": null,
                     *               "actualRhs": null
                     *             },
                     *             "error": null,
                     *             "phase": null,
                     *             "moreFailed": 2,
                     *             "excerpt": "{\"message\":\"no connection to the database\"}"
                     *           },
                     *           "agents": [
                     *             {
                     *               "agentId": "019aa0f4-1111-7aaa-8bbb-2c3d4e5f6a7b",
                     *               "agentSlug": "frankfurt",
                     *               "status": "failure",
                     *               "since": "2026-11-20T12:30:00.000Z",
                     *               "failingRuns": 3,
                     *               "summary": "GET https://shop.example/cart: status 500, expected 200",
                     *               "resultId": "019aa0f4-7f2b-7c3d-8e4f-6a5b4c3d2e1f"
                     *             }
                     *           ],
                     *           "firstResultId": "019aa0f4-7f2b-7c3d-8e4f-6a5b4c3d2e1f",
                     *           "lastPassingResultId": "019aa0ef-7f2b-7c3d-8e4f-6a5b4c3d2e1f",
                     *           "recoveredResultId": null,
                     *           "acknowledgedAt": null,
                     *           "acknowledgedBy": null,
                     *           "lastRemindedAt": null,
                     *           "url": "https://probes.example.com/incidents/019aa0f4-9a8b-7c6d-8e5f-4a3b2c1d0e9f"
                     *         }
                     *       ],
                     *       "total": 1,
                     *       "page": 1,
                     *       "pageSize": 50
                     *     }
                     */
                    "application/json": components["schemas"]["IncidentPage"];
                };
            };
            /**
             * @description - `field_invalid`: A parameter or a checked value is not accepted. Details: field, reason, max, errors, unknown.
             *     - `invalid_uuid`: An id is not a UUID. Details: field, errors.
             *     - `invalid_path`: The path is not in its canonical form.
             */
            400: components["responses"]["BadRequest"];
            /**
             * @description - `missing_auth_header`: The request has no Authorization header.
             *     - `invalid_token`: The Authorization header has no bearer token.
             *     - `invalid_api_key`: No key matches the token.
             *     - `api_key_revoked`: The key was revoked, which is permanent.
             *     - `api_key_expired`: The key has expired.
             *     - `api_key_owner_inactive`: The member's membership or account is disabled or was removed.
             */
            401: components["responses"]["Unauthorized"];
            /** @description - `totp_enrollment_required`: The organization or a group requires two-factor authentication, and the member has not enrolled. */
            403: components["responses"]["Forbidden"];
            /** @description - `not_found`: The resource does not exist, or the member may not see or change it. Details: field. */
            404: components["responses"]["NotFound"];
            /**
             * @description - `rate_limited`: The key is over its rate limit; wait for Retry-After seconds.
             *     - `too_many_unknown_keys`: The address sent too many requests with unknown or no tokens; wait for Retry-After seconds.
             */
            429: components["responses"]["TooManyRequests"];
            /** @description - `internal_error`: The server failed. */
            500: components["responses"]["InternalServerError"];
            /** @description - `service_unavailable`: The database does not respond or its disk is full, or too many requests wait for it; wait for Retry-After seconds. A write may have taken effect. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getIncident: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the incident.
                 * @example 019aa0f4-9a8b-7c6d-8e5f-4a3b2c1d0e9f
                 */
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
                    /**
                     * @example {
                     *       "id": "019aa0f4-9a8b-7c6d-8e5f-4a3b2c1d0e9f",
                     *       "serviceId": "019aa0f0-1234-7abc-8def-0123456789ab",
                     *       "serviceName": "Checkout",
                     *       "projectId": "019aa0f0-2345-7abc-8def-0123456789ab",
                     *       "workspaceId": "019aa0f0-3456-7abc-8def-0123456789ab",
                     *       "state": "open",
                     *       "openedAt": "2026-11-20T12:30:00.000Z",
                     *       "closedAt": null,
                     *       "failingSince": "2026-11-20T12:20:00.000Z",
                     *       "durationMs": 600000,
                     *       "summary": "GET https://shop.example/cart: status 500, expected 200",
                     *       "failure": {
                     *         "summary": "GET https://shop.example/cart: status 500, expected 200 (2 more failed)",
                     *         "cause": "status 500, expected 200",
                     *         "status": "failure",
                     *         "step": {
                     *           "stepNum": 2,
                     *           "method": "GET",
                     *           "url": "https://shop.example/cart",
                     *           "statusCode": 500
                     *         },
                     *         "assertion": {
                     *           "stepNum": 2,
                     *           "method": "expect",
                     *           "scope": "status",
                     *           "op": "eq",
                     *           "expected": 200,
                     *           "actual": 500,
                     *           "expression": null,
                     *           "actualLhs": null,
                     *           "actualRhs": null
                     *         },
                     *         "error": null,
                     *         "phase": null,
                     *         "moreFailed": 2,
                     *         "excerpt": "{\"message\":\"no connection to the database\"}"
                     *       },
                     *       "agents": [
                     *         {
                     *           "agentId": "019aa0f4-1111-7aaa-8bbb-2c3d4e5f6a7b",
                     *           "agentSlug": "frankfurt",
                     *           "status": "failure",
                     *           "since": "2026-11-20T12:30:00.000Z",
                     *           "failingRuns": 3,
                     *           "summary": "GET https://shop.example/cart: status 500, expected 200",
                     *           "resultId": "019aa0f4-7f2b-7c3d-8e4f-6a5b4c3d2e1f"
                     *         }
                     *       ],
                     *       "firstResultId": "019aa0f4-7f2b-7c3d-8e4f-6a5b4c3d2e1f",
                     *       "lastPassingResultId": "019aa0ef-7f2b-7c3d-8e4f-6a5b4c3d2e1f",
                     *       "recoveredResultId": null,
                     *       "acknowledgedAt": null,
                     *       "acknowledgedBy": null,
                     *       "lastRemindedAt": null,
                     *       "url": "https://probes.example.com/incidents/019aa0f4-9a8b-7c6d-8e5f-4a3b2c1d0e9f",
                     *       "notes": [
                     *         {
                     *           "id": "019aa0f5-0a1b-7c2d-8e3f-4a5b6c7d8e9f",
                     *           "text": "The payment provider is down. We wait for them.",
                     *           "createdAt": "2026-11-20T12:30:00.000Z",
                     *           "author": {
                     *             "orgUserId": "019aa0f4-3c1a-7d2e-9f10-5b2f0c6d7e81",
                     *             "name": "Ada Lovelace"
                     *           }
                     *         }
                     *       ],
                     *       "timeline": [
                     *         {
                     *           "at": "2026-11-20T12:30:00.000Z",
                     *           "kind": "note",
                     *           "text": "The payment provider is down. We wait for them.",
                     *           "reason": null,
                     *           "member": {
                     *             "orgUserId": "019aa0f4-3c1a-7d2e-9f10-5b2f0c6d7e81",
                     *             "name": "Ada Lovelace"
                     *           },
                     *           "event": null,
                     *           "message": null
                     *         }
                     *       ],
                     *       "timelineTruncated": false
                     *     }
                     */
                    "application/json": components["schemas"]["IncidentDetails"];
                };
            };
            /**
             * @description - `invalid_uuid`: An id is not a UUID. Details: field, errors.
             *     - `invalid_path`: The path is not in its canonical form.
             */
            400: components["responses"]["BadRequest"];
            /**
             * @description - `missing_auth_header`: The request has no Authorization header.
             *     - `invalid_token`: The Authorization header has no bearer token.
             *     - `invalid_api_key`: No key matches the token.
             *     - `api_key_revoked`: The key was revoked, which is permanent.
             *     - `api_key_expired`: The key has expired.
             *     - `api_key_owner_inactive`: The member's membership or account is disabled or was removed.
             */
            401: components["responses"]["Unauthorized"];
            /** @description - `totp_enrollment_required`: The organization or a group requires two-factor authentication, and the member has not enrolled. */
            403: components["responses"]["Forbidden"];
            /** @description - `not_found`: The resource does not exist, or the member may not see or change it. Details: field. */
            404: components["responses"]["NotFound"];
            /**
             * @description - `rate_limited`: The key is over its rate limit; wait for Retry-After seconds.
             *     - `too_many_unknown_keys`: The address sent too many requests with unknown or no tokens; wait for Retry-After seconds.
             */
            429: components["responses"]["TooManyRequests"];
            /** @description - `internal_error`: The server failed. */
            500: components["responses"]["InternalServerError"];
            /** @description - `service_unavailable`: The database does not respond or its disk is full, or too many requests wait for it; wait for Retry-After seconds. A write may have taken effect. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    acknowledgeIncident: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes the request safe to repeat: for 24 hours, a request of this API key with the same value and the same content gets the response of the first successful one again and changes nothing, if its member still has permission. Errors are not stored. Use a new value, such as a UUID, for each operation.
                 * @example 0b8a2f4e-6c1d-4f5a-9f3e-2d7c5b1a9e80
                 */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description The id of the incident.
                 * @example 019aa0f4-9a8b-7c6d-8e5f-4a3b2c1d0e9f
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "019aa0f4-9a8b-7c6d-8e5f-4a3b2c1d0e9f",
                     *       "serviceId": "019aa0f0-1234-7abc-8def-0123456789ab",
                     *       "serviceName": "Checkout",
                     *       "projectId": "019aa0f0-2345-7abc-8def-0123456789ab",
                     *       "workspaceId": "019aa0f0-3456-7abc-8def-0123456789ab",
                     *       "state": "open",
                     *       "openedAt": "2026-11-20T12:30:00.000Z",
                     *       "closedAt": null,
                     *       "failingSince": "2026-11-20T12:20:00.000Z",
                     *       "durationMs": 600000,
                     *       "summary": "GET https://shop.example/cart: status 500, expected 200",
                     *       "failure": {
                     *         "summary": "GET https://shop.example/cart: status 500, expected 200 (2 more failed)",
                     *         "cause": "status 500, expected 200",
                     *         "status": "failure",
                     *         "step": {
                     *           "stepNum": 2,
                     *           "method": "GET",
                     *           "url": "https://shop.example/cart",
                     *           "statusCode": 500
                     *         },
                     *         "assertion": {
                     *           "stepNum": 2,
                     *           "method": "expect",
                     *           "scope": "status",
                     *           "op": "eq",
                     *           "expected": 200,
                     *           "actual": 500,
                     *           "expression": null,
                     *           "actualLhs": null,
                     *           "actualRhs": null
                     *         },
                     *         "error": null,
                     *         "phase": null,
                     *         "moreFailed": 2,
                     *         "excerpt": "{\"message\":\"no connection to the database\"}"
                     *       },
                     *       "agents": [
                     *         {
                     *           "agentId": "019aa0f4-1111-7aaa-8bbb-2c3d4e5f6a7b",
                     *           "agentSlug": "frankfurt",
                     *           "status": "failure",
                     *           "since": "2026-11-20T12:30:00.000Z",
                     *           "failingRuns": 3,
                     *           "summary": "GET https://shop.example/cart: status 500, expected 200",
                     *           "resultId": "019aa0f4-7f2b-7c3d-8e4f-6a5b4c3d2e1f"
                     *         }
                     *       ],
                     *       "firstResultId": "019aa0f4-7f2b-7c3d-8e4f-6a5b4c3d2e1f",
                     *       "lastPassingResultId": "019aa0ef-7f2b-7c3d-8e4f-6a5b4c3d2e1f",
                     *       "recoveredResultId": null,
                     *       "acknowledgedAt": null,
                     *       "acknowledgedBy": null,
                     *       "lastRemindedAt": null,
                     *       "url": "https://probes.example.com/incidents/019aa0f4-9a8b-7c6d-8e5f-4a3b2c1d0e9f"
                     *     }
                     */
                    "application/json": components["schemas"]["Incident"];
                };
            };
            /**
             * @description - `field_invalid`: A parameter or a checked value is not accepted. Details: field, reason, max, errors, unknown.
             *     - `invalid_uuid`: An id is not a UUID. Details: field, errors.
             *     - `invalid_request_body`: The body is not a JSON object, or one of its fields is not accepted. Details: field, reason, errors.
             *     - `invalid_path`: The path is not in its canonical form.
             */
            400: components["responses"]["BadRequest"];
            /**
             * @description - `missing_auth_header`: The request has no Authorization header.
             *     - `invalid_token`: The Authorization header has no bearer token.
             *     - `invalid_api_key`: No key matches the token.
             *     - `api_key_revoked`: The key was revoked, which is permanent.
             *     - `api_key_expired`: The key has expired.
             *     - `api_key_owner_inactive`: The member's membership or account is disabled or was removed.
             */
            401: components["responses"]["Unauthorized"];
            /**
             * @description - `api_key_read_only`: A read key sent a method other than GET or HEAD.
             *     - `totp_enrollment_required`: The organization or a group requires two-factor authentication, and the member has not enrolled.
             */
            403: components["responses"]["Forbidden"];
            /** @description - `not_found`: The resource does not exist, or the member may not see or change it. Details: field. */
            404: components["responses"]["NotFound"];
            /**
             * @description - `idempotency_mismatch`: The `Idempotency-Key` was used for another request within 24 hours.
             *     - `idempotency_in_progress`: The first request with this `Idempotency-Key` is still running; wait for Retry-After seconds.
             */
            409: components["responses"]["Conflict"];
            /** @description - `request_body_too_large`: The request body is over the limit. Details: maxBytes. */
            413: components["responses"]["ContentTooLarge"];
            /**
             * @description - `rate_limited`: The key is over its rate limit; wait for Retry-After seconds.
             *     - `too_many_unknown_keys`: The address sent too many requests with unknown or no tokens; wait for Retry-After seconds.
             */
            429: components["responses"]["TooManyRequests"];
            /** @description - `internal_error`: The server failed. */
            500: components["responses"]["InternalServerError"];
            /** @description - `service_unavailable`: The database does not respond or its disk is full, or too many requests wait for it; wait for Retry-After seconds. A write may have taken effect. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    addIncidentNote: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes the request safe to repeat: for 24 hours, a request of this API key with the same value and the same content gets the response of the first successful one again and changes nothing, if its member still has permission. Errors are not stored. Use a new value, such as a UUID, for each operation.
                 * @example 0b8a2f4e-6c1d-4f5a-9f3e-2d7c5b1a9e80
                 */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description The id of the incident.
                 * @example 019aa0f4-9a8b-7c6d-8e5f-4a3b2c1d0e9f
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "text": "The payment provider is down."
                 *     }
                 */
                "application/json": components["schemas"]["AddIncidentNoteRequest"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "019aa0f5-0a1b-7c2d-8e3f-4a5b6c7d8e9f",
                     *       "text": "The payment provider is down. We wait for them.",
                     *       "createdAt": "2026-11-20T12:30:00.000Z",
                     *       "author": {
                     *         "orgUserId": "019aa0f4-3c1a-7d2e-9f10-5b2f0c6d7e81",
                     *         "name": "Ada Lovelace"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["IncidentNote"];
                };
            };
            /**
             * @description - `field_invalid`: A parameter or a checked value is not accepted. Details: field, reason, max, errors, unknown.
             *     - `invalid_uuid`: An id is not a UUID. Details: field, errors.
             *     - `invalid_request_body`: The body is not a JSON object, or one of its fields is not accepted. Details: field, reason, errors.
             *     - `invalid_path`: The path is not in its canonical form.
             *     - `note_limit_reached`: The incident has reached its limit of notes. Details: max.
             */
            400: components["responses"]["BadRequest"];
            /**
             * @description - `missing_auth_header`: The request has no Authorization header.
             *     - `invalid_token`: The Authorization header has no bearer token.
             *     - `invalid_api_key`: No key matches the token.
             *     - `api_key_revoked`: The key was revoked, which is permanent.
             *     - `api_key_expired`: The key has expired.
             *     - `api_key_owner_inactive`: The member's membership or account is disabled or was removed.
             */
            401: components["responses"]["Unauthorized"];
            /**
             * @description - `api_key_read_only`: A read key sent a method other than GET or HEAD.
             *     - `totp_enrollment_required`: The organization or a group requires two-factor authentication, and the member has not enrolled.
             */
            403: components["responses"]["Forbidden"];
            /** @description - `not_found`: The resource does not exist, or the member may not see or change it. Details: field. */
            404: components["responses"]["NotFound"];
            /**
             * @description - `idempotency_mismatch`: The `Idempotency-Key` was used for another request within 24 hours.
             *     - `idempotency_in_progress`: The first request with this `Idempotency-Key` is still running; wait for Retry-After seconds.
             */
            409: components["responses"]["Conflict"];
            /** @description - `request_body_too_large`: The request body is over the limit. Details: maxBytes. */
            413: components["responses"]["ContentTooLarge"];
            /**
             * @description - `rate_limited`: The key is over its rate limit; wait for Retry-After seconds.
             *     - `too_many_unknown_keys`: The address sent too many requests with unknown or no tokens; wait for Retry-After seconds.
             */
            429: components["responses"]["TooManyRequests"];
            /** @description - `internal_error`: The server failed. */
            500: components["responses"]["InternalServerError"];
            /** @description - `service_unavailable`: The database does not respond or its disk is full, or too many requests wait for it; wait for Retry-After seconds. A write may have taken effect. */
            503: components["responses"]["ServiceUnavailable"];
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
                    /**
                     * @example {
                     *       "id": "019aa0e0-0303-7abc-8def-0123456789ab",
                     *       "name": "GitHub Actions",
                     *       "prefix": "sl_3fA9xK2p",
                     *       "access": "write",
                     *       "expiresAt": "2027-11-20T00:00:00.000Z",
                     *       "organization": {
                     *         "id": "019aa0e0-0101-7abc-8def-0123456789ab",
                     *         "name": "Example Ltd"
                     *       },
                     *       "user": {
                     *         "id": "019aa0e0-0202-7abc-8def-0123456789ab",
                     *         "email": "ada@example.com"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ApiKeyInfo"];
                };
            };
            /** @description - `invalid_path`: The path is not in its canonical form. */
            400: components["responses"]["BadRequest"];
            /**
             * @description - `missing_auth_header`: The request has no Authorization header.
             *     - `invalid_token`: The Authorization header has no bearer token.
             *     - `invalid_api_key`: No key matches the token.
             *     - `api_key_revoked`: The key was revoked, which is permanent.
             *     - `api_key_expired`: The key has expired.
             *     - `api_key_owner_inactive`: The member's membership or account is disabled or was removed.
             */
            401: components["responses"]["Unauthorized"];
            /** @description - `totp_enrollment_required`: The organization or a group requires two-factor authentication, and the member has not enrolled. */
            403: components["responses"]["Forbidden"];
            /**
             * @description - `rate_limited`: The key is over its rate limit; wait for Retry-After seconds.
             *     - `too_many_unknown_keys`: The address sent too many requests with unknown or no tokens; wait for Retry-After seconds.
             */
            429: components["responses"]["TooManyRequests"];
            /** @description - `internal_error`: The server failed. */
            500: components["responses"]["InternalServerError"];
            /** @description - `service_unavailable`: The database does not respond or its disk is full, or too many requests wait for it; wait for Retry-After seconds. A write may have taken effect. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listMembers: {
        parameters: {
            query?: {
                /**
                 * @description The page to read, from 1. `page` times `pageSize` is at most 100,000.
                 * @example 1
                 */
                page?: number;
                /**
                 * @description How many entries a page has at most.
                 * @example 50
                 */
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
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "userId": "019aa0e0-0202-7abc-8def-0123456789ab",
                     *           "displayName": "Ada Lovelace",
                     *           "email": "ada@example.com",
                     *           "isActive": true
                     *         }
                     *       ],
                     *       "total": 1,
                     *       "page": 1,
                     *       "pageSize": 50
                     *     }
                     */
                    "application/json": components["schemas"]["MemberPage"];
                };
            };
            /**
             * @description - `field_invalid`: A parameter or a checked value is not accepted. Details: field, reason, max, errors, unknown.
             *     - `invalid_path`: The path is not in its canonical form.
             */
            400: components["responses"]["BadRequest"];
            /**
             * @description - `missing_auth_header`: The request has no Authorization header.
             *     - `invalid_token`: The Authorization header has no bearer token.
             *     - `invalid_api_key`: No key matches the token.
             *     - `api_key_revoked`: The key was revoked, which is permanent.
             *     - `api_key_expired`: The key has expired.
             *     - `api_key_owner_inactive`: The member's membership or account is disabled or was removed.
             */
            401: components["responses"]["Unauthorized"];
            /**
             * @description - `totp_enrollment_required`: The organization or a group requires two-factor authentication, and the member has not enrolled.
             *     - `insufficient_permissions`: The member lacks the organization permission that the endpoint requires.
             */
            403: components["responses"]["Forbidden"];
            /**
             * @description - `rate_limited`: The key is over its rate limit; wait for Retry-After seconds.
             *     - `too_many_unknown_keys`: The address sent too many requests with unknown or no tokens; wait for Retry-After seconds.
             */
            429: components["responses"]["TooManyRequests"];
            /** @description - `internal_error`: The server failed. */
            500: components["responses"]["InternalServerError"];
            /** @description - `service_unavailable`: The database does not respond or its disk is full, or too many requests wait for it; wait for Retry-After seconds. A write may have taken effect. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listProjects: {
        parameters: {
            query: {
                /**
                 * @description The page to read, from 1. `page` times `pageSize` is at most 100,000.
                 * @example 1
                 */
                page?: number;
                /**
                 * @description How many entries a page has at most.
                 * @example 50
                 */
                pageSize?: number;
                /**
                 * @description The workspace whose projects are listed.
                 * @example 019aa0f0-3456-7abc-8def-0123456789ab
                 */
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
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "id": "019aa0f0-2345-7abc-8def-0123456789ab",
                     *           "workspaceId": "019aa0f0-3456-7abc-8def-0123456789ab",
                     *           "name": "Storefront",
                     *           "createdAt": "2026-11-01T08:00:00.000Z",
                     *           "serviceCount": 3,
                     *           "metrics": {
                     *             "counters": {
                     *               "probesTotal": 1440,
                     *               "probesSuccess": 1432,
                     *               "probesFailure": 6,
                     *               "probesTimeout": 2
                     *             },
                     *             "state": {
                     *               "lastStatus": "success",
                     *               "lastConsecutive": 122,
                     *               "lastResponseMs": 184,
                     *               "lastRunAt": 1795177800
                     *             },
                     *             "percentiles": {
                     *               "p50": 176,
                     *               "p95": 312,
                     *               "p99": 540
                     *             },
                     *             "serviceCount": 3,
                     *             "projectCount": 1
                     *           }
                     *         }
                     *       ],
                     *       "total": 1,
                     *       "page": 1,
                     *       "pageSize": 50
                     *     }
                     */
                    "application/json": components["schemas"]["ProjectPage"];
                };
            };
            /**
             * @description - `field_invalid`: A parameter or a checked value is not accepted. Details: field, reason, max, errors, unknown.
             *     - `field_required`: A required parameter or checked value is missing. Details: field, errors.
             *     - `invalid_uuid`: An id is not a UUID. Details: field, errors.
             *     - `invalid_path`: The path is not in its canonical form.
             */
            400: components["responses"]["BadRequest"];
            /**
             * @description - `missing_auth_header`: The request has no Authorization header.
             *     - `invalid_token`: The Authorization header has no bearer token.
             *     - `invalid_api_key`: No key matches the token.
             *     - `api_key_revoked`: The key was revoked, which is permanent.
             *     - `api_key_expired`: The key has expired.
             *     - `api_key_owner_inactive`: The member's membership or account is disabled or was removed.
             */
            401: components["responses"]["Unauthorized"];
            /** @description - `totp_enrollment_required`: The organization or a group requires two-factor authentication, and the member has not enrolled. */
            403: components["responses"]["Forbidden"];
            /** @description - `not_found`: The resource does not exist, or the member may not see or change it. Details: field. */
            404: components["responses"]["NotFound"];
            /**
             * @description - `rate_limited`: The key is over its rate limit; wait for Retry-After seconds.
             *     - `too_many_unknown_keys`: The address sent too many requests with unknown or no tokens; wait for Retry-After seconds.
             */
            429: components["responses"]["TooManyRequests"];
            /** @description - `internal_error`: The server failed. */
            500: components["responses"]["InternalServerError"];
            /** @description - `service_unavailable`: The database does not respond or its disk is full, or too many requests wait for it; wait for Retry-After seconds. A write may have taken effect. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createProject: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes the request safe to repeat: for 24 hours, a request of this API key with the same value and the same content gets the response of the first successful one again and changes nothing, if its member still has permission. Errors are not stored. Use a new value, such as a UUID, for each operation.
                 * @example 0b8a2f4e-6c1d-4f5a-9f3e-2d7c5b1a9e80
                 */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "workspaceId": "019aa0f0-3456-7abc-8def-0123456789ab",
                 *       "name": "Storefront"
                 *     }
                 */
                "application/json": components["schemas"]["CreateProjectRequest"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "019aa0f0-2345-7abc-8def-0123456789ab",
                     *       "workspaceId": "019aa0f0-3456-7abc-8def-0123456789ab",
                     *       "name": "Storefront",
                     *       "createdAt": "2026-11-01T08:00:00.000Z",
                     *       "serviceCount": 3,
                     *       "metrics": {
                     *         "counters": {
                     *           "probesTotal": 1440,
                     *           "probesSuccess": 1432,
                     *           "probesFailure": 6,
                     *           "probesTimeout": 2
                     *         },
                     *         "state": {
                     *           "lastStatus": "success",
                     *           "lastConsecutive": 122,
                     *           "lastResponseMs": 184,
                     *           "lastRunAt": 1795177800
                     *         },
                     *         "percentiles": {
                     *           "p50": 176,
                     *           "p95": 312,
                     *           "p99": 540
                     *         },
                     *         "serviceCount": 3,
                     *         "projectCount": 1
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Project"];
                };
            };
            /**
             * @description - `field_invalid`: A parameter or a checked value is not accepted. Details: field, reason, max, errors, unknown.
             *     - `invalid_uuid`: An id is not a UUID. Details: field, errors.
             *     - `invalid_request_body`: The body is not a JSON object, or one of its fields is not accepted. Details: field, reason, errors.
             *     - `invalid_path`: The path is not in its canonical form.
             */
            400: components["responses"]["BadRequest"];
            /**
             * @description - `missing_auth_header`: The request has no Authorization header.
             *     - `invalid_token`: The Authorization header has no bearer token.
             *     - `invalid_api_key`: No key matches the token.
             *     - `api_key_revoked`: The key was revoked, which is permanent.
             *     - `api_key_expired`: The key has expired.
             *     - `api_key_owner_inactive`: The member's membership or account is disabled or was removed.
             */
            401: components["responses"]["Unauthorized"];
            /**
             * @description - `api_key_read_only`: A read key sent a method other than GET or HEAD.
             *     - `totp_enrollment_required`: The organization or a group requires two-factor authentication, and the member has not enrolled.
             */
            403: components["responses"]["Forbidden"];
            /** @description - `not_found`: The resource does not exist, or the member may not see or change it. Details: field. */
            404: components["responses"]["NotFound"];
            /**
             * @description - `already_exists`: A resource with this name or key already exists. Details: field, id.
             *     - `idempotency_mismatch`: The `Idempotency-Key` was used for another request within 24 hours.
             *     - `idempotency_in_progress`: The first request with this `Idempotency-Key` is still running; wait for Retry-After seconds.
             */
            409: components["responses"]["Conflict"];
            /** @description - `request_body_too_large`: The request body is over the limit. Details: maxBytes. */
            413: components["responses"]["ContentTooLarge"];
            /**
             * @description - `rate_limited`: The key is over its rate limit; wait for Retry-After seconds.
             *     - `too_many_unknown_keys`: The address sent too many requests with unknown or no tokens; wait for Retry-After seconds.
             */
            429: components["responses"]["TooManyRequests"];
            /** @description - `internal_error`: The server failed. */
            500: components["responses"]["InternalServerError"];
            /** @description - `service_unavailable`: The database does not respond or its disk is full, or too many requests wait for it; wait for Retry-After seconds. A write may have taken effect. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getProject: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the project.
                 * @example 019aa0f0-2345-7abc-8def-0123456789ab
                 */
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
                    /**
                     * @example {
                     *       "id": "019aa0f0-2345-7abc-8def-0123456789ab",
                     *       "workspaceId": "019aa0f0-3456-7abc-8def-0123456789ab",
                     *       "name": "Storefront",
                     *       "createdAt": "2026-11-01T08:00:00.000Z",
                     *       "serviceCount": 3,
                     *       "metrics": {
                     *         "counters": {
                     *           "probesTotal": 1440,
                     *           "probesSuccess": 1432,
                     *           "probesFailure": 6,
                     *           "probesTimeout": 2
                     *         },
                     *         "state": {
                     *           "lastStatus": "success",
                     *           "lastConsecutive": 122,
                     *           "lastResponseMs": 184,
                     *           "lastRunAt": 1795177800
                     *         },
                     *         "percentiles": {
                     *           "p50": 176,
                     *           "p95": 312,
                     *           "p99": 540
                     *         },
                     *         "serviceCount": 3,
                     *         "projectCount": 1
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Project"];
                };
            };
            /**
             * @description - `invalid_uuid`: An id is not a UUID. Details: field, errors.
             *     - `invalid_path`: The path is not in its canonical form.
             */
            400: components["responses"]["BadRequest"];
            /**
             * @description - `missing_auth_header`: The request has no Authorization header.
             *     - `invalid_token`: The Authorization header has no bearer token.
             *     - `invalid_api_key`: No key matches the token.
             *     - `api_key_revoked`: The key was revoked, which is permanent.
             *     - `api_key_expired`: The key has expired.
             *     - `api_key_owner_inactive`: The member's membership or account is disabled or was removed.
             */
            401: components["responses"]["Unauthorized"];
            /** @description - `totp_enrollment_required`: The organization or a group requires two-factor authentication, and the member has not enrolled. */
            403: components["responses"]["Forbidden"];
            /** @description - `not_found`: The resource does not exist, or the member may not see or change it. Details: field. */
            404: components["responses"]["NotFound"];
            /**
             * @description - `rate_limited`: The key is over its rate limit; wait for Retry-After seconds.
             *     - `too_many_unknown_keys`: The address sent too many requests with unknown or no tokens; wait for Retry-After seconds.
             */
            429: components["responses"]["TooManyRequests"];
            /** @description - `internal_error`: The server failed. */
            500: components["responses"]["InternalServerError"];
            /** @description - `service_unavailable`: The database does not respond or its disk is full, or too many requests wait for it; wait for Retry-After seconds. A write may have taken effect. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteProject: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the project.
                 * @example 019aa0f0-2345-7abc-8def-0123456789ab
                 */
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
                    /**
                     * @example {
                     *       "ok": true
                     *     }
                     */
                    "application/json": components["schemas"]["Ok"];
                };
            };
            /**
             * @description - `invalid_uuid`: An id is not a UUID. Details: field, errors.
             *     - `invalid_request_body`: The body is not a JSON object, or one of its fields is not accepted. Details: field, reason, errors.
             *     - `invalid_path`: The path is not in its canonical form.
             */
            400: components["responses"]["BadRequest"];
            /**
             * @description - `missing_auth_header`: The request has no Authorization header.
             *     - `invalid_token`: The Authorization header has no bearer token.
             *     - `invalid_api_key`: No key matches the token.
             *     - `api_key_revoked`: The key was revoked, which is permanent.
             *     - `api_key_expired`: The key has expired.
             *     - `api_key_owner_inactive`: The member's membership or account is disabled or was removed.
             */
            401: components["responses"]["Unauthorized"];
            /**
             * @description - `api_key_read_only`: A read key sent a method other than GET or HEAD.
             *     - `totp_enrollment_required`: The organization or a group requires two-factor authentication, and the member has not enrolled.
             */
            403: components["responses"]["Forbidden"];
            /** @description - `not_found`: The resource does not exist, or the member may not see or change it. Details: field. */
            404: components["responses"]["NotFound"];
            /** @description - `request_body_too_large`: The request body is over the limit. Details: maxBytes. */
            413: components["responses"]["ContentTooLarge"];
            /**
             * @description - `rate_limited`: The key is over its rate limit; wait for Retry-After seconds.
             *     - `too_many_unknown_keys`: The address sent too many requests with unknown or no tokens; wait for Retry-After seconds.
             */
            429: components["responses"]["TooManyRequests"];
            /** @description - `internal_error`: The server failed. */
            500: components["responses"]["InternalServerError"];
            /** @description - `service_unavailable`: The database does not respond or its disk is full, or too many requests wait for it; wait for Retry-After seconds. A write may have taken effect. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    renameProject: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the project.
                 * @example 019aa0f0-2345-7abc-8def-0123456789ab
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Storefront"
                 *     }
                 */
                "application/json": components["schemas"]["RenameProjectRequest"];
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
                    /**
                     * @example {
                     *       "id": "019aa0f0-2345-7abc-8def-0123456789ab",
                     *       "workspaceId": "019aa0f0-3456-7abc-8def-0123456789ab",
                     *       "name": "Storefront",
                     *       "createdAt": "2026-11-01T08:00:00.000Z",
                     *       "serviceCount": 3,
                     *       "metrics": {
                     *         "counters": {
                     *           "probesTotal": 1440,
                     *           "probesSuccess": 1432,
                     *           "probesFailure": 6,
                     *           "probesTimeout": 2
                     *         },
                     *         "state": {
                     *           "lastStatus": "success",
                     *           "lastConsecutive": 122,
                     *           "lastResponseMs": 184,
                     *           "lastRunAt": 1795177800
                     *         },
                     *         "percentiles": {
                     *           "p50": 176,
                     *           "p95": 312,
                     *           "p99": 540
                     *         },
                     *         "serviceCount": 3,
                     *         "projectCount": 1
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Project"];
                };
            };
            /**
             * @description - `invalid_uuid`: An id is not a UUID. Details: field, errors.
             *     - `invalid_request_body`: The body is not a JSON object, or one of its fields is not accepted. Details: field, reason, errors.
             *     - `invalid_path`: The path is not in its canonical form.
             */
            400: components["responses"]["BadRequest"];
            /**
             * @description - `missing_auth_header`: The request has no Authorization header.
             *     - `invalid_token`: The Authorization header has no bearer token.
             *     - `invalid_api_key`: No key matches the token.
             *     - `api_key_revoked`: The key was revoked, which is permanent.
             *     - `api_key_expired`: The key has expired.
             *     - `api_key_owner_inactive`: The member's membership or account is disabled or was removed.
             */
            401: components["responses"]["Unauthorized"];
            /**
             * @description - `api_key_read_only`: A read key sent a method other than GET or HEAD.
             *     - `totp_enrollment_required`: The organization or a group requires two-factor authentication, and the member has not enrolled.
             */
            403: components["responses"]["Forbidden"];
            /** @description - `not_found`: The resource does not exist, or the member may not see or change it. Details: field. */
            404: components["responses"]["NotFound"];
            /** @description - `already_exists`: A resource with this name or key already exists. Details: field, id. */
            409: components["responses"]["Conflict"];
            /** @description - `request_body_too_large`: The request body is over the limit. Details: maxBytes. */
            413: components["responses"]["ContentTooLarge"];
            /**
             * @description - `rate_limited`: The key is over its rate limit; wait for Retry-After seconds.
             *     - `too_many_unknown_keys`: The address sent too many requests with unknown or no tokens; wait for Retry-After seconds.
             */
            429: components["responses"]["TooManyRequests"];
            /** @description - `internal_error`: The server failed. */
            500: components["responses"]["InternalServerError"];
            /** @description - `service_unavailable`: The database does not respond or its disk is full, or too many requests wait for it; wait for Retry-After seconds. A write may have taken effect. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getProjectMetrics: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the project.
                 * @example 019aa0f0-2345-7abc-8def-0123456789ab
                 */
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
                    /**
                     * @example {
                     *       "counters": {
                     *         "probesTotal": 1440,
                     *         "probesSuccess": 1432,
                     *         "probesFailure": 6,
                     *         "probesTimeout": 2
                     *       },
                     *       "state": {
                     *         "lastStatus": "success",
                     *         "lastConsecutive": 122,
                     *         "lastResponseMs": 184,
                     *         "lastRunAt": 1795177800
                     *       },
                     *       "percentiles": {
                     *         "p50": 176,
                     *         "p95": 312,
                     *         "p99": 540
                     *       },
                     *       "serviceCount": 3,
                     *       "projectCount": 1
                     *     }
                     */
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
            400: components["responses"]["BadRequest"];
            /**
             * @description - `missing_auth_header`: The request has no Authorization header.
             *     - `invalid_token`: The Authorization header has no bearer token.
             *     - `invalid_api_key`: No key matches the token.
             *     - `api_key_revoked`: The key was revoked, which is permanent.
             *     - `api_key_expired`: The key has expired.
             *     - `api_key_owner_inactive`: The member's membership or account is disabled or was removed.
             */
            401: components["responses"]["Unauthorized"];
            /** @description - `totp_enrollment_required`: The organization or a group requires two-factor authentication, and the member has not enrolled. */
            403: components["responses"]["Forbidden"];
            /** @description - `not_found`: The resource does not exist, or the member may not see or change it. Details: field. */
            404: components["responses"]["NotFound"];
            /**
             * @description - `rate_limited`: The key is over its rate limit; wait for Retry-After seconds.
             *     - `too_many_unknown_keys`: The address sent too many requests with unknown or no tokens; wait for Retry-After seconds.
             */
            429: components["responses"]["TooManyRequests"];
            /** @description - `internal_error`: The server failed. */
            500: components["responses"]["InternalServerError"];
            /** @description - `service_unavailable`: The database does not respond or its disk is full, or too many requests wait for it; wait for Retry-After seconds. A write may have taken effect. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getProjectMetricsHistory: {
        parameters: {
            query?: {
                /**
                 * @description How many whole UTC hours to read, the current one included.
                 * @example 24
                 */
                hours?: number;
            };
            header?: never;
            path: {
                /**
                 * @description The id of the project.
                 * @example 019aa0f0-2345-7abc-8def-0123456789ab
                 */
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
                    /**
                     * @example [
                     *       {
                     *         "hour": "2026-11-20T12:00:00.000Z",
                     *         "total": 12,
                     *         "success": 11,
                     *         "failure": 1,
                     *         "timeout": 0,
                     *         "sumMs": 2208,
                     *         "callCount": 24
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["HourlyBucket"][];
                };
            };
            /**
             * @description - `field_invalid`: A parameter or a checked value is not accepted. Details: field, reason, max, errors, unknown.
             *     - `invalid_uuid`: An id is not a UUID. Details: field, errors.
             *     - `invalid_path`: The path is not in its canonical form.
             */
            400: components["responses"]["BadRequest"];
            /**
             * @description - `missing_auth_header`: The request has no Authorization header.
             *     - `invalid_token`: The Authorization header has no bearer token.
             *     - `invalid_api_key`: No key matches the token.
             *     - `api_key_revoked`: The key was revoked, which is permanent.
             *     - `api_key_expired`: The key has expired.
             *     - `api_key_owner_inactive`: The member's membership or account is disabled or was removed.
             */
            401: components["responses"]["Unauthorized"];
            /** @description - `totp_enrollment_required`: The organization or a group requires two-factor authentication, and the member has not enrolled. */
            403: components["responses"]["Forbidden"];
            /** @description - `not_found`: The resource does not exist, or the member may not see or change it. Details: field. */
            404: components["responses"]["NotFound"];
            /**
             * @description - `rate_limited`: The key is over its rate limit; wait for Retry-After seconds.
             *     - `too_many_unknown_keys`: The address sent too many requests with unknown or no tokens; wait for Retry-After seconds.
             */
            429: components["responses"]["TooManyRequests"];
            /** @description - `internal_error`: The server failed. */
            500: components["responses"]["InternalServerError"];
            /** @description - `service_unavailable`: The database does not respond or its disk is full, or too many requests wait for it; wait for Retry-After seconds. A write may have taken effect. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    runProject: {
        parameters: {
            query?: {
                /**
                 * @description How many seconds to wait for the end: the response is sent when everything is done, or after this time with the current state. A request that waits counts once against the rate limit.
                 * @example 30
                 */
                wait?: number;
            };
            header?: {
                /**
                 * @description Makes the request safe to repeat: for 24 hours, a request of this API key with the same value and the same content gets the response of the first successful one again and changes nothing, if its member still has permission. Errors are not stored. Use a new value, such as a UUID, for each operation.
                 * @example 0b8a2f4e-6c1d-4f5a-9f3e-2d7c5b1a9e80
                 */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description The id of the project.
                 * @example 019aa0f0-2345-7abc-8def-0123456789ab
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "variables": {
                 *         "s.base": "https://preview-42.shop.example"
                 *       },
                 *       "note": "deploy 42",
                 *       "label": "checkout",
                 *       "state": "failed"
                 *     }
                 */
                "application/json": components["schemas"]["RunProjectRequest"];
            };
        };
        responses: {
            /** @description Accepted: the work is done asynchronously. */
            202: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "019aa0f4-7b2c-7d3e-8f4a-5b6c7d8e9f0a",
                     *       "url": "https://soundline.example.com/batches/019aa0f4-7b2c-7d3e-8f4a-5b6c7d8e9f0a",
                     *       "state": "done",
                     *       "requestedAt": "2026-11-20T12:30:00.000Z",
                     *       "createdAt": "2026-11-20T12:30:00.000Z",
                     *       "note": "deploy 42",
                     *       "total": 1,
                     *       "passed": 0,
                     *       "failed": 1,
                     *       "timedOut": 0,
                     *       "incomplete": 0,
                     *       "skipped": 0,
                     *       "cancelled": 0,
                     *       "pending": 0,
                     *       "runs": [
                     *         {
                     *           "serviceId": "019aa0f0-1234-7abc-8def-0123456789ab",
                     *           "serviceName": "Checkout",
                     *           "runId": "019aa0f4-8c3d-7e4f-9a5b-6c7d8e9f0a1b",
                     *           "url": "https://soundline.example.com/services/019aa0f0-1234-7abc-8def-0123456789ab/runs/019aa0f4-8c3d-7e4f-9a5b-6c7d8e9f0a1b",
                     *           "state": "done",
                     *           "outcome": "failure",
                     *           "summary": "GET https://shop.example/cart: status 500, expected 200",
                     *           "skippedAgents": [
                     *             {
                     *               "agentSlug": "frankfurt",
                     *               "reason": "the agent frankfurt was not connected"
                     *             }
                     *           ],
                     *           "reason": null
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Batch"];
                };
            };
            /**
             * @description - `field_invalid`: A parameter or a checked value is not accepted. Details: field, reason, max, errors, unknown.
             *     - `invalid_uuid`: An id is not a UUID. Details: field, errors.
             *     - `invalid_request_body`: The body is not a JSON object, or one of its fields is not accepted. Details: field, reason, errors.
             *     - `invalid_path`: The path is not in its canonical form.
             */
            400: components["responses"]["BadRequest"];
            /**
             * @description - `missing_auth_header`: The request has no Authorization header.
             *     - `invalid_token`: The Authorization header has no bearer token.
             *     - `invalid_api_key`: No key matches the token.
             *     - `api_key_revoked`: The key was revoked, which is permanent.
             *     - `api_key_expired`: The key has expired.
             *     - `api_key_owner_inactive`: The member's membership or account is disabled or was removed.
             */
            401: components["responses"]["Unauthorized"];
            /**
             * @description - `api_key_read_only`: A read key sent a method other than GET or HEAD.
             *     - `totp_enrollment_required`: The organization or a group requires two-factor authentication, and the member has not enrolled.
             */
            403: components["responses"]["Forbidden"];
            /** @description - `not_found`: The resource does not exist, or the member may not see or change it. Details: field. */
            404: components["responses"]["NotFound"];
            /**
             * @description - `idempotency_mismatch`: The `Idempotency-Key` was used for another request within 24 hours.
             *     - `idempotency_in_progress`: The first request with this `Idempotency-Key` is still running; wait for Retry-After seconds.
             */
            409: components["responses"]["Conflict"];
            /** @description - `request_body_too_large`: The request body is over the limit. Details: maxBytes. */
            413: components["responses"]["ContentTooLarge"];
            /**
             * @description - `rate_limited`: The key is over its rate limit; wait for Retry-After seconds.
             *     - `too_many_unknown_keys`: The address sent too many requests with unknown or no tokens; wait for Retry-After seconds.
             */
            429: components["responses"]["TooManyRequests"];
            /** @description - `internal_error`: The server failed. */
            500: components["responses"]["InternalServerError"];
            /** @description - `service_unavailable`: The database does not respond or its disk is full, or too many requests wait for it; wait for Retry-After seconds. A write may have taken effect. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    toggleProjectServices: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the project.
                 * @example 019aa0f0-2345-7abc-8def-0123456789ab
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "isActive": true
                 *     }
                 */
                "application/json": components["schemas"]["ToggleProjectServicesRequest"];
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
                    /**
                     * @example {
                     *       "matched": 12,
                     *       "changed": 9,
                     *       "unchanged": 2,
                     *       "skipped": [
                     *         {
                     *           "serviceId": "019aa0f0-1234-7abc-8def-0123456789ab",
                     *           "name": "Checkout",
                     *           "reason": "script_missing"
                     *         }
                     *       ],
                     *       "skippedTotal": 1,
                     *       "skippedByReason": {
                     *         "script_missing": 1
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ToggleResult"];
                };
            };
            /**
             * @description - `invalid_uuid`: An id is not a UUID. Details: field, errors.
             *     - `invalid_request_body`: The body is not a JSON object, or one of its fields is not accepted. Details: field, reason, errors.
             *     - `invalid_path`: The path is not in its canonical form.
             */
            400: components["responses"]["BadRequest"];
            /**
             * @description - `missing_auth_header`: The request has no Authorization header.
             *     - `invalid_token`: The Authorization header has no bearer token.
             *     - `invalid_api_key`: No key matches the token.
             *     - `api_key_revoked`: The key was revoked, which is permanent.
             *     - `api_key_expired`: The key has expired.
             *     - `api_key_owner_inactive`: The member's membership or account is disabled or was removed.
             */
            401: components["responses"]["Unauthorized"];
            /**
             * @description - `api_key_read_only`: A read key sent a method other than GET or HEAD.
             *     - `totp_enrollment_required`: The organization or a group requires two-factor authentication, and the member has not enrolled.
             */
            403: components["responses"]["Forbidden"];
            /** @description - `not_found`: The resource does not exist, or the member may not see or change it. Details: field. */
            404: components["responses"]["NotFound"];
            /** @description - `request_body_too_large`: The request body is over the limit. Details: maxBytes. */
            413: components["responses"]["ContentTooLarge"];
            /**
             * @description - `rate_limited`: The key is over its rate limit; wait for Retry-After seconds.
             *     - `too_many_unknown_keys`: The address sent too many requests with unknown or no tokens; wait for Retry-After seconds.
             */
            429: components["responses"]["TooManyRequests"];
            /** @description - `internal_error`: The server failed. */
            500: components["responses"]["InternalServerError"];
            /** @description - `service_unavailable`: The database does not respond or its disk is full, or too many requests wait for it; wait for Retry-After seconds. A write may have taken effect. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listProjectVariables: {
        parameters: {
            query?: {
                /**
                 * @description The page to read, from 1. `page` times `pageSize` is at most 100,000.
                 * @example 1
                 */
                page?: number;
                /**
                 * @description How many entries a page has at most.
                 * @example 50
                 */
                pageSize?: number;
            };
            header?: never;
            path: {
                /**
                 * @description The id of the project.
                 * @example 019aa0f0-2345-7abc-8def-0123456789ab
                 */
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
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "id": "019aa0f1-4a5b-7c6d-8e7f-0a1b2c3d4e5f",
                     *           "key": "base_url",
                     *           "value": "••••••",
                     *           "type": "variable",
                     *           "masked": true,
                     *           "systemType": null,
                     *           "isScriptWritten": false,
                     *           "allowedHosts": [],
                     *           "createdAt": "2026-11-01T08:00:00.000Z",
                     *           "updatedAt": "2026-11-20T12:30:00.000Z"
                     *         }
                     *       ],
                     *       "total": 1,
                     *       "page": 1,
                     *       "pageSize": 50
                     *     }
                     */
                    "application/json": components["schemas"]["VariablePage"];
                };
            };
            /**
             * @description - `field_invalid`: A parameter or a checked value is not accepted. Details: field, reason, max, errors, unknown.
             *     - `invalid_uuid`: An id is not a UUID. Details: field, errors.
             *     - `invalid_path`: The path is not in its canonical form.
             */
            400: components["responses"]["BadRequest"];
            /**
             * @description - `missing_auth_header`: The request has no Authorization header.
             *     - `invalid_token`: The Authorization header has no bearer token.
             *     - `invalid_api_key`: No key matches the token.
             *     - `api_key_revoked`: The key was revoked, which is permanent.
             *     - `api_key_expired`: The key has expired.
             *     - `api_key_owner_inactive`: The member's membership or account is disabled or was removed.
             */
            401: components["responses"]["Unauthorized"];
            /** @description - `totp_enrollment_required`: The organization or a group requires two-factor authentication, and the member has not enrolled. */
            403: components["responses"]["Forbidden"];
            /** @description - `not_found`: The resource does not exist, or the member may not see or change it. Details: field. */
            404: components["responses"]["NotFound"];
            /**
             * @description - `rate_limited`: The key is over its rate limit; wait for Retry-After seconds.
             *     - `too_many_unknown_keys`: The address sent too many requests with unknown or no tokens; wait for Retry-After seconds.
             */
            429: components["responses"]["TooManyRequests"];
            /** @description - `internal_error`: The server failed. */
            500: components["responses"]["InternalServerError"];
            /** @description - `service_unavailable`: The database does not respond or its disk is full, or too many requests wait for it; wait for Retry-After seconds. A write may have taken effect. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createProjectVariable: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes the request safe to repeat: for 24 hours, a request of this API key with the same value and the same content gets the response of the first successful one again and changes nothing, if its member still has permission. Errors are not stored. Use a new value, such as a UUID, for each operation.
                 * @example 0b8a2f4e-6c1d-4f5a-9f3e-2d7c5b1a9e80
                 */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description The id of the project.
                 * @example 019aa0f0-2345-7abc-8def-0123456789ab
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "key": "base_url",
                 *       "value": "https://shop.example",
                 *       "type": "secret",
                 *       "allowedHosts": [
                 *         "api.example.com",
                 *         "*.example.net:8443"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["CreateProjectVariableRequest"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "019aa0f1-4a5b-7c6d-8e7f-0a1b2c3d4e5f",
                     *       "key": "base_url",
                     *       "value": "••••••",
                     *       "type": "variable",
                     *       "masked": true,
                     *       "systemType": null,
                     *       "isScriptWritten": false,
                     *       "allowedHosts": [],
                     *       "createdAt": "2026-11-01T08:00:00.000Z",
                     *       "updatedAt": "2026-11-20T12:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Variable"];
                };
            };
            /**
             * @description - `field_invalid`: A parameter or a checked value is not accepted. Details: field, reason, max, errors, unknown.
             *     - `invalid_uuid`: An id is not a UUID. Details: field, errors.
             *     - `invalid_request_body`: The body is not a JSON object, or one of its fields is not accepted. Details: field, reason, errors.
             *     - `invalid_path`: The path is not in its canonical form.
             *     - `variable_limit_reached`: The scope has reached its limit of variables. Details: max.
             *     - `reserved_key`: A computed variable of the scope has this name. Details: key.
             */
            400: components["responses"]["BadRequest"];
            /**
             * @description - `missing_auth_header`: The request has no Authorization header.
             *     - `invalid_token`: The Authorization header has no bearer token.
             *     - `invalid_api_key`: No key matches the token.
             *     - `api_key_revoked`: The key was revoked, which is permanent.
             *     - `api_key_expired`: The key has expired.
             *     - `api_key_owner_inactive`: The member's membership or account is disabled or was removed.
             */
            401: components["responses"]["Unauthorized"];
            /**
             * @description - `api_key_read_only`: A read key sent a method other than GET or HEAD.
             *     - `totp_enrollment_required`: The organization or a group requires two-factor authentication, and the member has not enrolled.
             */
            403: components["responses"]["Forbidden"];
            /** @description - `not_found`: The resource does not exist, or the member may not see or change it. Details: field. */
            404: components["responses"]["NotFound"];
            /**
             * @description - `already_exists`: A resource with this name or key already exists. Details: field, id.
             *     - `idempotency_mismatch`: The `Idempotency-Key` was used for another request within 24 hours.
             *     - `idempotency_in_progress`: The first request with this `Idempotency-Key` is still running; wait for Retry-After seconds.
             */
            409: components["responses"]["Conflict"];
            /** @description - `request_body_too_large`: The request body is over the limit. Details: maxBytes. */
            413: components["responses"]["ContentTooLarge"];
            /**
             * @description - `rate_limited`: The key is over its rate limit; wait for Retry-After seconds.
             *     - `too_many_unknown_keys`: The address sent too many requests with unknown or no tokens; wait for Retry-After seconds.
             */
            429: components["responses"]["TooManyRequests"];
            /** @description - `internal_error`: The server failed. */
            500: components["responses"]["InternalServerError"];
            /** @description - `service_unavailable`: The database does not respond or its disk is full, or too many requests wait for it; wait for Retry-After seconds. A write may have taken effect. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteProjectVariable: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the project.
                 * @example 019aa0f0-2345-7abc-8def-0123456789ab
                 */
                id: string;
                /**
                 * @description The id of the variable.
                 * @example 019aa0f1-4a5b-7c6d-8e7f-0a1b2c3d4e5f
                 */
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
                    /**
                     * @example {
                     *       "ok": true
                     *     }
                     */
                    "application/json": components["schemas"]["Ok"];
                };
            };
            /**
             * @description - `invalid_uuid`: An id is not a UUID. Details: field, errors.
             *     - `invalid_request_body`: The body is not a JSON object, or one of its fields is not accepted. Details: field, reason, errors.
             *     - `invalid_path`: The path is not in its canonical form.
             *     - `system_variable`: Soundline creates this variable for every service; it cannot be deleted. Details: key.
             */
            400: components["responses"]["BadRequest"];
            /**
             * @description - `missing_auth_header`: The request has no Authorization header.
             *     - `invalid_token`: The Authorization header has no bearer token.
             *     - `invalid_api_key`: No key matches the token.
             *     - `api_key_revoked`: The key was revoked, which is permanent.
             *     - `api_key_expired`: The key has expired.
             *     - `api_key_owner_inactive`: The member's membership or account is disabled or was removed.
             */
            401: components["responses"]["Unauthorized"];
            /**
             * @description - `api_key_read_only`: A read key sent a method other than GET or HEAD.
             *     - `totp_enrollment_required`: The organization or a group requires two-factor authentication, and the member has not enrolled.
             */
            403: components["responses"]["Forbidden"];
            /** @description - `not_found`: The resource does not exist, or the member may not see or change it. Details: field. */
            404: components["responses"]["NotFound"];
            /** @description - `request_body_too_large`: The request body is over the limit. Details: maxBytes. */
            413: components["responses"]["ContentTooLarge"];
            /**
             * @description - `rate_limited`: The key is over its rate limit; wait for Retry-After seconds.
             *     - `too_many_unknown_keys`: The address sent too many requests with unknown or no tokens; wait for Retry-After seconds.
             */
            429: components["responses"]["TooManyRequests"];
            /** @description - `internal_error`: The server failed. */
            500: components["responses"]["InternalServerError"];
            /** @description - `service_unavailable`: The database does not respond or its disk is full, or too many requests wait for it; wait for Retry-After seconds. A write may have taken effect. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    updateProjectVariable: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the project.
                 * @example 019aa0f0-2345-7abc-8def-0123456789ab
                 */
                id: string;
                /**
                 * @description The id of the variable.
                 * @example 019aa0f1-4a5b-7c6d-8e7f-0a1b2c3d4e5f
                 */
                varId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "value": "https://shop.example",
                 *       "allowedHosts": [
                 *         "api.example.com",
                 *         "*.example.net:8443"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["UpdateProjectVariableRequest"];
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
                    /**
                     * @example {
                     *       "id": "019aa0f1-4a5b-7c6d-8e7f-0a1b2c3d4e5f",
                     *       "key": "base_url",
                     *       "value": "••••••",
                     *       "type": "variable",
                     *       "masked": true,
                     *       "systemType": null,
                     *       "isScriptWritten": false,
                     *       "allowedHosts": [],
                     *       "createdAt": "2026-11-01T08:00:00.000Z",
                     *       "updatedAt": "2026-11-20T12:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Variable"];
                };
            };
            /**
             * @description - `field_invalid`: A parameter or a checked value is not accepted. Details: field, reason, max, errors, unknown.
             *     - `invalid_uuid`: An id is not a UUID. Details: field, errors.
             *     - `invalid_request_body`: The body is not a JSON object, or one of its fields is not accepted. Details: field, reason, errors.
             *     - `invalid_path`: The path is not in its canonical form.
             *     - `readonly_variable`: Only scripts can write this variable. Details: key.
             */
            400: components["responses"]["BadRequest"];
            /**
             * @description - `missing_auth_header`: The request has no Authorization header.
             *     - `invalid_token`: The Authorization header has no bearer token.
             *     - `invalid_api_key`: No key matches the token.
             *     - `api_key_revoked`: The key was revoked, which is permanent.
             *     - `api_key_expired`: The key has expired.
             *     - `api_key_owner_inactive`: The member's membership or account is disabled or was removed.
             */
            401: components["responses"]["Unauthorized"];
            /**
             * @description - `api_key_read_only`: A read key sent a method other than GET or HEAD.
             *     - `totp_enrollment_required`: The organization or a group requires two-factor authentication, and the member has not enrolled.
             */
            403: components["responses"]["Forbidden"];
            /** @description - `not_found`: The resource does not exist, or the member may not see or change it. Details: field. */
            404: components["responses"]["NotFound"];
            /** @description - `request_body_too_large`: The request body is over the limit. Details: maxBytes. */
            413: components["responses"]["ContentTooLarge"];
            /**
             * @description - `rate_limited`: The key is over its rate limit; wait for Retry-After seconds.
             *     - `too_many_unknown_keys`: The address sent too many requests with unknown or no tokens; wait for Retry-After seconds.
             */
            429: components["responses"]["TooManyRequests"];
            /** @description - `internal_error`: The server failed. */
            500: components["responses"]["InternalServerError"];
            /** @description - `service_unavailable`: The database does not respond or its disk is full, or too many requests wait for it; wait for Retry-After seconds. A write may have taken effect. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getProjectVariableHierarchy: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the project.
                 * @example 019aa0f0-2345-7abc-8def-0123456789ab
                 */
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
                    /**
                     * @example {
                     *       "scopes": [
                     *         {
                     *           "scope": "service",
                     *           "prefix": "$s.",
                     *           "resourceId": "019aa0f0-1234-7abc-8def-0123456789ab",
                     *           "resourceName": "Checkout",
                     *           "editable": true,
                     *           "variables": [
                     *             {
                     *               "id": "019aa0f1-4a5b-7c6d-8e7f-0a1b2c3d4e5f",
                     *               "key": "base_url",
                     *               "value": "••••••",
                     *               "type": "variable",
                     *               "masked": true,
                     *               "systemType": null,
                     *               "isScriptWritten": false,
                     *               "allowedHosts": [],
                     *               "createdAt": "2026-11-01T08:00:00.000Z",
                     *               "updatedAt": "2026-11-20T12:30:00.000Z"
                     *             }
                     *           ],
                     *           "locked": [
                     *             {
                     *               "key": "name",
                     *               "value": "Checkout",
                     *               "description": "The name of the service."
                     *             }
                     *           ]
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["VariableHierarchy"];
                };
            };
            /**
             * @description - `invalid_uuid`: An id is not a UUID. Details: field, errors.
             *     - `invalid_path`: The path is not in its canonical form.
             */
            400: components["responses"]["BadRequest"];
            /**
             * @description - `missing_auth_header`: The request has no Authorization header.
             *     - `invalid_token`: The Authorization header has no bearer token.
             *     - `invalid_api_key`: No key matches the token.
             *     - `api_key_revoked`: The key was revoked, which is permanent.
             *     - `api_key_expired`: The key has expired.
             *     - `api_key_owner_inactive`: The member's membership or account is disabled or was removed.
             */
            401: components["responses"]["Unauthorized"];
            /** @description - `totp_enrollment_required`: The organization or a group requires two-factor authentication, and the member has not enrolled. */
            403: components["responses"]["Forbidden"];
            /** @description - `not_found`: The resource does not exist, or the member may not see or change it. Details: field. */
            404: components["responses"]["NotFound"];
            /**
             * @description - `rate_limited`: The key is over its rate limit; wait for Retry-After seconds.
             *     - `too_many_unknown_keys`: The address sent too many requests with unknown or no tokens; wait for Retry-After seconds.
             */
            429: components["responses"]["TooManyRequests"];
            /** @description - `internal_error`: The server failed. */
            500: components["responses"]["InternalServerError"];
            /** @description - `service_unavailable`: The database does not respond or its disk is full, or too many requests wait for it; wait for Retry-After seconds. A write may have taken effect. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listServices: {
        parameters: {
            query: {
                /**
                 * @description The page to read, from 1. `page` times `pageSize` is at most 100,000.
                 * @example 1
                 */
                page?: number;
                /**
                 * @description How many entries a page has at most.
                 * @example 50
                 */
                pageSize?: number;
                /**
                 * @description The project whose services are listed.
                 * @example 019aa0f0-2345-7abc-8def-0123456789ab
                 */
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
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "id": "019aa0f0-1234-7abc-8def-0123456789ab",
                     *           "projectId": "019aa0f0-2345-7abc-8def-0123456789ab",
                     *           "name": "Checkout",
                     *           "label": "production",
                     *           "script": "get(\"https://shop.example/health\").expect(status: 200)",
                     *           "schedule": "*\/5 * * * *",
                     *           "probeMode": "consecutive",
                     *           "queuePolicy": "skip",
                     *           "serviceWindow": null,
                     *           "saveResponseBodies": true,
                     *           "sendTraceparent": false,
                     *           "isActive": true,
                     *           "state": "passing",
                     *           "stateSince": "2026-11-20T12:30:00.000Z",
                     *           "lastStatus": "success",
                     *           "lastStatusSince": "2026-11-20T12:30:00.000Z",
                     *           "version": 2,
                     *           "createdAt": "2026-11-01T08:00:00.000Z",
                     *           "unverifiedTargets": [
                     *             "shop.example"
                     *           ],
                     *           "metrics": {
                     *             "counters": {
                     *               "probesTotal": 1440,
                     *               "probesSuccess": 1432,
                     *               "probesFailure": 6,
                     *               "probesTimeout": 2
                     *             },
                     *             "state": {
                     *               "lastStatus": "success",
                     *               "lastConsecutive": 122,
                     *               "lastResponseMs": 184,
                     *               "lastRunAt": 1795177800
                     *             },
                     *             "percentiles": {
                     *               "p50": 176,
                     *               "p95": 312,
                     *               "p99": 540
                     *             },
                     *             "serviceCount": 3,
                     *             "projectCount": 1
                     *           },
                     *           "lastFailure": {
                     *             "resultId": "019aa0f4-7f2b-7c3d-8e4f-6a5b4c3d2e1f",
                     *             "startedAt": "2026-11-20T12:30:00.000Z",
                     *             "status": "failure",
                     *             "error": null,
                     *             "summary": "GET https://shop.example/cart: status 500, expected 200 (2 more failed)",
                     *             "assertions": [
                     *               {
                     *                 "stepNum": 2,
                     *                 "method": "expect",
                     *                 "scope": "status",
                     *                 "op": "eq",
                     *                 "expected": 200,
                     *                 "actual": 500,
                     *                 "expression": null,
                     *                 "actualLhs": null,
                     *                 "actualRhs": null
                     *               }
                     *             ],
                     *             "assertionsTotal": 3
                     *           },
                     *           "certificates": [
                     *             {
                     *               "host": "shop.example",
                     *               "notAfter": "2026-12-17T09:00:00.000Z",
                     *               "daysLeft": 27,
                     *               "subject": "shop.example",
                     *               "issuer": "R11",
                     *               "lastSeenAt": "2026-11-20T12:00:00.000Z"
                     *             }
                     *           ]
                     *         }
                     *       ],
                     *       "total": 1,
                     *       "page": 1,
                     *       "pageSize": 50
                     *     }
                     */
                    "application/json": components["schemas"]["ServicePage"];
                };
            };
            /**
             * @description - `field_invalid`: A parameter or a checked value is not accepted. Details: field, reason, max, errors, unknown.
             *     - `field_required`: A required parameter or checked value is missing. Details: field, errors.
             *     - `invalid_uuid`: An id is not a UUID. Details: field, errors.
             *     - `invalid_path`: The path is not in its canonical form.
             */
            400: components["responses"]["BadRequest"];
            /**
             * @description - `missing_auth_header`: The request has no Authorization header.
             *     - `invalid_token`: The Authorization header has no bearer token.
             *     - `invalid_api_key`: No key matches the token.
             *     - `api_key_revoked`: The key was revoked, which is permanent.
             *     - `api_key_expired`: The key has expired.
             *     - `api_key_owner_inactive`: The member's membership or account is disabled or was removed.
             */
            401: components["responses"]["Unauthorized"];
            /** @description - `totp_enrollment_required`: The organization or a group requires two-factor authentication, and the member has not enrolled. */
            403: components["responses"]["Forbidden"];
            /** @description - `not_found`: The resource does not exist, or the member may not see or change it. Details: field. */
            404: components["responses"]["NotFound"];
            /**
             * @description - `rate_limited`: The key is over its rate limit; wait for Retry-After seconds.
             *     - `too_many_unknown_keys`: The address sent too many requests with unknown or no tokens; wait for Retry-After seconds.
             */
            429: components["responses"]["TooManyRequests"];
            /** @description - `internal_error`: The server failed. */
            500: components["responses"]["InternalServerError"];
            /** @description - `service_unavailable`: The database does not respond or its disk is full, or too many requests wait for it; wait for Retry-After seconds. A write may have taken effect. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createService: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes the request safe to repeat: for 24 hours, a request of this API key with the same value and the same content gets the response of the first successful one again and changes nothing, if its member still has permission. Errors are not stored. Use a new value, such as a UUID, for each operation.
                 * @example 0b8a2f4e-6c1d-4f5a-9f3e-2d7c5b1a9e80
                 */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "projectId": "019aa0f0-2345-7abc-8def-0123456789ab",
                 *       "name": "Checkout",
                 *       "label": "production",
                 *       "schedule": "*\/5 * * * *",
                 *       "saveResponseBodies": true,
                 *       "sendTraceparent": true,
                 *       "script": "get(\"https://shop.example/health\").expect(status: 200)",
                 *       "isActive": true
                 *     }
                 */
                "application/json": components["schemas"]["CreateServiceRequest"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "019aa0f0-1234-7abc-8def-0123456789ab",
                     *       "projectId": "019aa0f0-2345-7abc-8def-0123456789ab",
                     *       "name": "Checkout",
                     *       "label": "production",
                     *       "script": "get(\"https://shop.example/health\").expect(status: 200)",
                     *       "schedule": "*\/5 * * * *",
                     *       "probeMode": "consecutive",
                     *       "queuePolicy": "skip",
                     *       "serviceWindow": null,
                     *       "saveResponseBodies": true,
                     *       "sendTraceparent": false,
                     *       "isActive": true,
                     *       "state": "passing",
                     *       "stateSince": "2026-11-20T12:30:00.000Z",
                     *       "lastStatus": "success",
                     *       "lastStatusSince": "2026-11-20T12:30:00.000Z",
                     *       "version": 2,
                     *       "createdAt": "2026-11-01T08:00:00.000Z",
                     *       "unverifiedTargets": [
                     *         "shop.example"
                     *       ],
                     *       "metrics": {
                     *         "counters": {
                     *           "probesTotal": 1440,
                     *           "probesSuccess": 1432,
                     *           "probesFailure": 6,
                     *           "probesTimeout": 2
                     *         },
                     *         "state": {
                     *           "lastStatus": "success",
                     *           "lastConsecutive": 122,
                     *           "lastResponseMs": 184,
                     *           "lastRunAt": 1795177800
                     *         },
                     *         "percentiles": {
                     *           "p50": 176,
                     *           "p95": 312,
                     *           "p99": 540
                     *         },
                     *         "serviceCount": 3,
                     *         "projectCount": 1
                     *       },
                     *       "lastFailure": {
                     *         "resultId": "019aa0f4-7f2b-7c3d-8e4f-6a5b4c3d2e1f",
                     *         "startedAt": "2026-11-20T12:30:00.000Z",
                     *         "status": "failure",
                     *         "error": null,
                     *         "summary": "GET https://shop.example/cart: status 500, expected 200 (2 more failed)",
                     *         "assertions": [
                     *           {
                     *             "stepNum": 2,
                     *             "method": "expect",
                     *             "scope": "status",
                     *             "op": "eq",
                     *             "expected": 200,
                     *             "actual": 500,
                     *             "expression": null,
                     *             "actualLhs": null,
                     *             "actualRhs": null
                     *           }
                     *         ],
                     *         "assertionsTotal": 3
                     *       },
                     *       "certificates": [
                     *         {
                     *           "host": "shop.example",
                     *           "notAfter": "2026-12-17T09:00:00.000Z",
                     *           "daysLeft": 27,
                     *           "subject": "shop.example",
                     *           "issuer": "R11",
                     *           "lastSeenAt": "2026-11-20T12:00:00.000Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Service"];
                };
            };
            /**
             * @description - `field_invalid`: A parameter or a checked value is not accepted. Details: field, reason, max, errors, unknown.
             *     - `field_required`: A required parameter or checked value is missing. Details: field, errors.
             *     - `invalid_uuid`: An id is not a UUID. Details: field, errors.
             *     - `invalid_request_body`: The body is not a JSON object, or one of its fields is not accepted. Details: field, reason, errors.
             *     - `invalid_path`: The path is not in its canonical form.
             *     - `blocked_probe_target`: The script targets a URL that probes must not request: one with a private, loopback or reserved address, an address of the server itself, an internal name, a scheme other than http and https, a port of another protocol (the bad ports of the Fetch standard), or a user name or password. `details.reason` says which. Details: field, reason, callIndex.
             *     - `unverified_domain_call_limit`: The script makes more than three calls while it targets an unverified domain. Details: field, reason, max, hosts.
             *     - `unverified_domain_includes`: The script uses an includes check while it targets an unverified domain. Details: field, reason, hosts.
             *     - `unverified_domain_interval`: The schedule runs more often than every five minutes while the script targets an unverified domain. Details: field, reason, hosts.
             */
            400: components["responses"]["BadRequest"];
            /**
             * @description - `missing_auth_header`: The request has no Authorization header.
             *     - `invalid_token`: The Authorization header has no bearer token.
             *     - `invalid_api_key`: No key matches the token.
             *     - `api_key_revoked`: The key was revoked, which is permanent.
             *     - `api_key_expired`: The key has expired.
             *     - `api_key_owner_inactive`: The member's membership or account is disabled or was removed.
             */
            401: components["responses"]["Unauthorized"];
            /**
             * @description - `api_key_read_only`: A read key sent a method other than GET or HEAD.
             *     - `totp_enrollment_required`: The organization or a group requires two-factor authentication, and the member has not enrolled.
             */
            403: components["responses"]["Forbidden"];
            /** @description - `not_found`: The resource does not exist, or the member may not see or change it. Details: field. */
            404: components["responses"]["NotFound"];
            /**
             * @description - `already_exists`: A resource with this name or key already exists. Details: field, id.
             *     - `idempotency_mismatch`: The `Idempotency-Key` was used for another request within 24 hours.
             *     - `idempotency_in_progress`: The first request with this `Idempotency-Key` is still running; wait for Retry-After seconds.
             */
            409: components["responses"]["Conflict"];
            /** @description - `request_body_too_large`: The request body is over the limit. Details: maxBytes. */
            413: components["responses"]["ContentTooLarge"];
            /**
             * @description - `rate_limited`: The key is over its rate limit; wait for Retry-After seconds.
             *     - `too_many_unknown_keys`: The address sent too many requests with unknown or no tokens; wait for Retry-After seconds.
             */
            429: components["responses"]["TooManyRequests"];
            /** @description - `internal_error`: The server failed. */
            500: components["responses"]["InternalServerError"];
            /** @description - `service_unavailable`: The database does not respond or its disk is full, or too many requests wait for it; wait for Retry-After seconds. A write may have taken effect. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getService: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the service.
                 * @example 019aa0f0-1234-7abc-8def-0123456789ab
                 */
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
                    /**
                     * @example {
                     *       "id": "019aa0f0-1234-7abc-8def-0123456789ab",
                     *       "projectId": "019aa0f0-2345-7abc-8def-0123456789ab",
                     *       "name": "Checkout",
                     *       "label": "production",
                     *       "script": "get(\"https://shop.example/health\").expect(status: 200)",
                     *       "schedule": "*\/5 * * * *",
                     *       "probeMode": "consecutive",
                     *       "queuePolicy": "skip",
                     *       "serviceWindow": null,
                     *       "saveResponseBodies": true,
                     *       "sendTraceparent": false,
                     *       "isActive": true,
                     *       "state": "passing",
                     *       "stateSince": "2026-11-20T12:30:00.000Z",
                     *       "lastStatus": "success",
                     *       "lastStatusSince": "2026-11-20T12:30:00.000Z",
                     *       "version": 2,
                     *       "createdAt": "2026-11-01T08:00:00.000Z",
                     *       "unverifiedTargets": [
                     *         "shop.example"
                     *       ],
                     *       "metrics": {
                     *         "counters": {
                     *           "probesTotal": 1440,
                     *           "probesSuccess": 1432,
                     *           "probesFailure": 6,
                     *           "probesTimeout": 2
                     *         },
                     *         "state": {
                     *           "lastStatus": "success",
                     *           "lastConsecutive": 122,
                     *           "lastResponseMs": 184,
                     *           "lastRunAt": 1795177800
                     *         },
                     *         "percentiles": {
                     *           "p50": 176,
                     *           "p95": 312,
                     *           "p99": 540
                     *         },
                     *         "serviceCount": 3,
                     *         "projectCount": 1
                     *       },
                     *       "lastFailure": {
                     *         "resultId": "019aa0f4-7f2b-7c3d-8e4f-6a5b4c3d2e1f",
                     *         "startedAt": "2026-11-20T12:30:00.000Z",
                     *         "status": "failure",
                     *         "error": null,
                     *         "summary": "GET https://shop.example/cart: status 500, expected 200 (2 more failed)",
                     *         "assertions": [
                     *           {
                     *             "stepNum": 2,
                     *             "method": "expect",
                     *             "scope": "status",
                     *             "op": "eq",
                     *             "expected": 200,
                     *             "actual": 500,
                     *             "expression": null,
                     *             "actualLhs": null,
                     *             "actualRhs": null
                     *           }
                     *         ],
                     *         "assertionsTotal": 3
                     *       },
                     *       "certificates": [
                     *         {
                     *           "host": "shop.example",
                     *           "notAfter": "2026-12-17T09:00:00.000Z",
                     *           "daysLeft": 27,
                     *           "subject": "shop.example",
                     *           "issuer": "R11",
                     *           "lastSeenAt": "2026-11-20T12:00:00.000Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Service"];
                };
            };
            /**
             * @description - `invalid_uuid`: An id is not a UUID. Details: field, errors.
             *     - `invalid_path`: The path is not in its canonical form.
             */
            400: components["responses"]["BadRequest"];
            /**
             * @description - `missing_auth_header`: The request has no Authorization header.
             *     - `invalid_token`: The Authorization header has no bearer token.
             *     - `invalid_api_key`: No key matches the token.
             *     - `api_key_revoked`: The key was revoked, which is permanent.
             *     - `api_key_expired`: The key has expired.
             *     - `api_key_owner_inactive`: The member's membership or account is disabled or was removed.
             */
            401: components["responses"]["Unauthorized"];
            /** @description - `totp_enrollment_required`: The organization or a group requires two-factor authentication, and the member has not enrolled. */
            403: components["responses"]["Forbidden"];
            /** @description - `not_found`: The resource does not exist, or the member may not see or change it. Details: field. */
            404: components["responses"]["NotFound"];
            /**
             * @description - `rate_limited`: The key is over its rate limit; wait for Retry-After seconds.
             *     - `too_many_unknown_keys`: The address sent too many requests with unknown or no tokens; wait for Retry-After seconds.
             */
            429: components["responses"]["TooManyRequests"];
            /** @description - `internal_error`: The server failed. */
            500: components["responses"]["InternalServerError"];
            /** @description - `service_unavailable`: The database does not respond or its disk is full, or too many requests wait for it; wait for Retry-After seconds. A write may have taken effect. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteService: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the service.
                 * @example 019aa0f0-1234-7abc-8def-0123456789ab
                 */
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
                    /**
                     * @example {
                     *       "ok": true
                     *     }
                     */
                    "application/json": components["schemas"]["Ok"];
                };
            };
            /**
             * @description - `invalid_uuid`: An id is not a UUID. Details: field, errors.
             *     - `invalid_request_body`: The body is not a JSON object, or one of its fields is not accepted. Details: field, reason, errors.
             *     - `invalid_path`: The path is not in its canonical form.
             */
            400: components["responses"]["BadRequest"];
            /**
             * @description - `missing_auth_header`: The request has no Authorization header.
             *     - `invalid_token`: The Authorization header has no bearer token.
             *     - `invalid_api_key`: No key matches the token.
             *     - `api_key_revoked`: The key was revoked, which is permanent.
             *     - `api_key_expired`: The key has expired.
             *     - `api_key_owner_inactive`: The member's membership or account is disabled or was removed.
             */
            401: components["responses"]["Unauthorized"];
            /**
             * @description - `api_key_read_only`: A read key sent a method other than GET or HEAD.
             *     - `totp_enrollment_required`: The organization or a group requires two-factor authentication, and the member has not enrolled.
             */
            403: components["responses"]["Forbidden"];
            /** @description - `not_found`: The resource does not exist, or the member may not see or change it. Details: field. */
            404: components["responses"]["NotFound"];
            /** @description - `request_body_too_large`: The request body is over the limit. Details: maxBytes. */
            413: components["responses"]["ContentTooLarge"];
            /**
             * @description - `rate_limited`: The key is over its rate limit; wait for Retry-After seconds.
             *     - `too_many_unknown_keys`: The address sent too many requests with unknown or no tokens; wait for Retry-After seconds.
             */
            429: components["responses"]["TooManyRequests"];
            /** @description - `internal_error`: The server failed. */
            500: components["responses"]["InternalServerError"];
            /** @description - `service_unavailable`: The database does not respond or its disk is full, or too many requests wait for it; wait for Retry-After seconds. A write may have taken effect. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    updateService: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the service.
                 * @example 019aa0f0-1234-7abc-8def-0123456789ab
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Checkout",
                 *       "label": "production",
                 *       "schedule": "*\/5 * * * *",
                 *       "probeMode": "consecutive",
                 *       "queuePolicy": "skip",
                 *       "serviceWindow": "FREQ=WEEKLY;BYDAY=SU;BYHOUR=3;BYMINUTE=0/60/Europe/Berlin",
                 *       "saveResponseBodies": true,
                 *       "sendTraceparent": true,
                 *       "script": "get(\"https://shop.example/health\").expect(status: 200)",
                 *       "version": 1
                 *     }
                 */
                "application/json": components["schemas"]["UpdateServiceRequest"];
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
                    /**
                     * @example {
                     *       "id": "019aa0f0-1234-7abc-8def-0123456789ab",
                     *       "projectId": "019aa0f0-2345-7abc-8def-0123456789ab",
                     *       "name": "Checkout",
                     *       "label": "production",
                     *       "script": "get(\"https://shop.example/health\").expect(status: 200)",
                     *       "schedule": "*\/5 * * * *",
                     *       "probeMode": "consecutive",
                     *       "queuePolicy": "skip",
                     *       "serviceWindow": null,
                     *       "saveResponseBodies": true,
                     *       "sendTraceparent": false,
                     *       "isActive": true,
                     *       "state": "passing",
                     *       "stateSince": "2026-11-20T12:30:00.000Z",
                     *       "lastStatus": "success",
                     *       "lastStatusSince": "2026-11-20T12:30:00.000Z",
                     *       "version": 2,
                     *       "createdAt": "2026-11-01T08:00:00.000Z",
                     *       "unverifiedTargets": [
                     *         "shop.example"
                     *       ],
                     *       "metrics": {
                     *         "counters": {
                     *           "probesTotal": 1440,
                     *           "probesSuccess": 1432,
                     *           "probesFailure": 6,
                     *           "probesTimeout": 2
                     *         },
                     *         "state": {
                     *           "lastStatus": "success",
                     *           "lastConsecutive": 122,
                     *           "lastResponseMs": 184,
                     *           "lastRunAt": 1795177800
                     *         },
                     *         "percentiles": {
                     *           "p50": 176,
                     *           "p95": 312,
                     *           "p99": 540
                     *         },
                     *         "serviceCount": 3,
                     *         "projectCount": 1
                     *       },
                     *       "lastFailure": {
                     *         "resultId": "019aa0f4-7f2b-7c3d-8e4f-6a5b4c3d2e1f",
                     *         "startedAt": "2026-11-20T12:30:00.000Z",
                     *         "status": "failure",
                     *         "error": null,
                     *         "summary": "GET https://shop.example/cart: status 500, expected 200 (2 more failed)",
                     *         "assertions": [
                     *           {
                     *             "stepNum": 2,
                     *             "method": "expect",
                     *             "scope": "status",
                     *             "op": "eq",
                     *             "expected": 200,
                     *             "actual": 500,
                     *             "expression": null,
                     *             "actualLhs": null,
                     *             "actualRhs": null
                     *           }
                     *         ],
                     *         "assertionsTotal": 3
                     *       },
                     *       "certificates": [
                     *         {
                     *           "host": "shop.example",
                     *           "notAfter": "2026-12-17T09:00:00.000Z",
                     *           "daysLeft": 27,
                     *           "subject": "shop.example",
                     *           "issuer": "R11",
                     *           "lastSeenAt": "2026-11-20T12:00:00.000Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Service"];
                };
            };
            /**
             * @description - `field_invalid`: A parameter or a checked value is not accepted. Details: field, reason, max, errors, unknown.
             *     - `field_required`: A required parameter or checked value is missing. Details: field, errors.
             *     - `invalid_uuid`: An id is not a UUID. Details: field, errors.
             *     - `invalid_request_body`: The body is not a JSON object, or one of its fields is not accepted. Details: field, reason, errors.
             *     - `invalid_path`: The path is not in its canonical form.
             *     - `blocked_probe_target`: The script targets a URL that probes must not request: one with a private, loopback or reserved address, an address of the server itself, an internal name, a scheme other than http and https, a port of another protocol (the bad ports of the Fetch standard), or a user name or password. `details.reason` says which. Details: field, reason, callIndex.
             *     - `unverified_domain_call_limit`: The script makes more than three calls while it targets an unverified domain. Details: field, reason, max, hosts.
             *     - `unverified_domain_includes`: The script uses an includes check while it targets an unverified domain. Details: field, reason, hosts.
             *     - `unverified_domain_interval`: The schedule runs more often than every five minutes while the script targets an unverified domain. Details: field, reason, hosts.
             */
            400: components["responses"]["BadRequest"];
            /**
             * @description - `missing_auth_header`: The request has no Authorization header.
             *     - `invalid_token`: The Authorization header has no bearer token.
             *     - `invalid_api_key`: No key matches the token.
             *     - `api_key_revoked`: The key was revoked, which is permanent.
             *     - `api_key_expired`: The key has expired.
             *     - `api_key_owner_inactive`: The member's membership or account is disabled or was removed.
             */
            401: components["responses"]["Unauthorized"];
            /**
             * @description - `api_key_read_only`: A read key sent a method other than GET or HEAD.
             *     - `totp_enrollment_required`: The organization or a group requires two-factor authentication, and the member has not enrolled.
             */
            403: components["responses"]["Forbidden"];
            /** @description - `not_found`: The resource does not exist, or the member may not see or change it. Details: field. */
            404: components["responses"]["NotFound"];
            /**
             * @description - `already_exists`: A resource with this name or key already exists. Details: field, id.
             *     - `version_conflict`: The version is not the current one. Details: field, version.
             */
            409: components["responses"]["Conflict"];
            /** @description - `request_body_too_large`: The request body is over the limit. Details: maxBytes. */
            413: components["responses"]["ContentTooLarge"];
            /**
             * @description - `rate_limited`: The key is over its rate limit; wait for Retry-After seconds.
             *     - `too_many_unknown_keys`: The address sent too many requests with unknown or no tokens; wait for Retry-After seconds.
             */
            429: components["responses"]["TooManyRequests"];
            /** @description - `internal_error`: The server failed. */
            500: components["responses"]["InternalServerError"];
            /** @description - `service_unavailable`: The database does not respond or its disk is full, or too many requests wait for it; wait for Retry-After seconds. A write may have taken effect. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getServiceAgents: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the service.
                 * @example 019aa0f0-1234-7abc-8def-0123456789ab
                 */
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
                    /**
                     * @example [
                     *       "frankfurt"
                     *     ]
                     */
                    "application/json": components["schemas"]["AgentSlugs"];
                };
            };
            /**
             * @description - `field_invalid`: A parameter or a checked value is not accepted. Details: field, reason, max, errors, unknown.
             *     - `invalid_uuid`: An id is not a UUID. Details: field, errors.
             *     - `invalid_path`: The path is not in its canonical form.
             */
            400: components["responses"]["BadRequest"];
            /**
             * @description - `missing_auth_header`: The request has no Authorization header.
             *     - `invalid_token`: The Authorization header has no bearer token.
             *     - `invalid_api_key`: No key matches the token.
             *     - `api_key_revoked`: The key was revoked, which is permanent.
             *     - `api_key_expired`: The key has expired.
             *     - `api_key_owner_inactive`: The member's membership or account is disabled or was removed.
             */
            401: components["responses"]["Unauthorized"];
            /** @description - `totp_enrollment_required`: The organization or a group requires two-factor authentication, and the member has not enrolled. */
            403: components["responses"]["Forbidden"];
            /** @description - `not_found`: The resource does not exist, or the member may not see or change it. Details: field. */
            404: components["responses"]["NotFound"];
            /**
             * @description - `rate_limited`: The key is over its rate limit; wait for Retry-After seconds.
             *     - `too_many_unknown_keys`: The address sent too many requests with unknown or no tokens; wait for Retry-After seconds.
             */
            429: components["responses"]["TooManyRequests"];
            /** @description - `internal_error`: The server failed. */
            500: components["responses"]["InternalServerError"];
            /** @description - `service_unavailable`: The database does not respond or its disk is full, or too many requests wait for it; wait for Retry-After seconds. A write may have taken effect. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    setServiceAgents: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the service.
                 * @example 019aa0f0-1234-7abc-8def-0123456789ab
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "slugs": [
                 *         "frankfurt"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["SetServiceAgentsRequest"];
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
                    /**
                     * @example [
                     *       "frankfurt"
                     *     ]
                     */
                    "application/json": components["schemas"]["AgentSlugs"];
                };
            };
            /**
             * @description - `field_invalid`: A parameter or a checked value is not accepted. Details: field, reason, max, errors, unknown.
             *     - `invalid_uuid`: An id is not a UUID. Details: field, errors.
             *     - `invalid_request_body`: The body is not a JSON object, or one of its fields is not accepted. Details: field, reason, errors.
             *     - `invalid_path`: The path is not in its canonical form.
             *     - `blocked_probe_target`: The script targets a URL that probes must not request: one with a private, loopback or reserved address, an address of the server itself, an internal name, a scheme other than http and https, a port of another protocol (the bad ports of the Fetch standard), or a user name or password. `details.reason` says which. Details: field, reason, callIndex.
             *     - `unverified_domain_call_limit`: The script makes more than three calls while it targets an unverified domain. Details: field, reason, max, hosts.
             *     - `unverified_domain_includes`: The script uses an includes check while it targets an unverified domain. Details: field, reason, hosts.
             *     - `unverified_domain_interval`: The schedule runs more often than every five minutes while the script targets an unverified domain. Details: field, reason, hosts.
             */
            400: components["responses"]["BadRequest"];
            /**
             * @description - `missing_auth_header`: The request has no Authorization header.
             *     - `invalid_token`: The Authorization header has no bearer token.
             *     - `invalid_api_key`: No key matches the token.
             *     - `api_key_revoked`: The key was revoked, which is permanent.
             *     - `api_key_expired`: The key has expired.
             *     - `api_key_owner_inactive`: The member's membership or account is disabled or was removed.
             */
            401: components["responses"]["Unauthorized"];
            /**
             * @description - `api_key_read_only`: A read key sent a method other than GET or HEAD.
             *     - `totp_enrollment_required`: The organization or a group requires two-factor authentication, and the member has not enrolled.
             */
            403: components["responses"]["Forbidden"];
            /** @description - `not_found`: The resource does not exist, or the member may not see or change it. Details: field. */
            404: components["responses"]["NotFound"];
            /** @description - `request_body_too_large`: The request body is over the limit. Details: maxBytes. */
            413: components["responses"]["ContentTooLarge"];
            /**
             * @description - `rate_limited`: The key is over its rate limit; wait for Retry-After seconds.
             *     - `too_many_unknown_keys`: The address sent too many requests with unknown or no tokens; wait for Retry-After seconds.
             */
            429: components["responses"]["TooManyRequests"];
            /** @description - `internal_error`: The server failed. */
            500: components["responses"]["InternalServerError"];
            /** @description - `service_unavailable`: The database does not respond or its disk is full, or too many requests wait for it; wait for Retry-After seconds. A write may have taken effect. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getServiceAlerting: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the service.
                 * @example 019aa0f0-1234-7abc-8def-0123456789ab
                 */
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
                    /**
                     * @example {
                     *       "serviceId": "019aa0f0-1234-7abc-8def-0123456789ab",
                     *       "settings": {
                     *         "confirmFailures": 2,
                     *         "alertOnRecovery": true,
                     *         "remindMinutes": 60
                     *       },
                     *       "hasListener": true,
                     *       "isMailConfigured": true,
                     *       "recipients": [
                     *         {
                     *           "orgUserId": "019aa0f4-3c1a-7d2e-9f10-5b2f0c6d7e81",
                     *           "name": "Ada Lovelace",
                     *           "email": "ada@example.com",
                     *           "heardThrough": [
                     *             {
                     *               "kind": "group",
                     *               "group": "DevOps",
                     *               "resourceType": "workspace",
                     *               "resourceName": "Shop"
                     *             }
                     *           ],
                     *           "isSilenced": false,
                     *           "silencedReason": null,
                     *           "silencedUntil": null,
                     *           "silence": null
                     *         }
                     *       ],
                     *       "recipientsTotal": 1,
                     *       "webhooks": [
                     *         {
                     *           "webhookId": "019aa0f1-6c7d-7e8f-8091-2c3d4e5f6071",
                     *           "name": "Pager",
                     *           "enabled": true,
                     *           "heardThrough": [
                     *             {
                     *               "kind": "group",
                     *               "group": "DevOps",
                     *               "resourceType": "workspace",
                     *               "resourceName": "Shop"
                     *             }
                     *           ]
                     *         }
                     *       ],
                     *       "webhooksTotal": 1
                     *     }
                     */
                    "application/json": components["schemas"]["ServiceAlerting"];
                };
            };
            /**
             * @description - `invalid_uuid`: An id is not a UUID. Details: field, errors.
             *     - `invalid_path`: The path is not in its canonical form.
             */
            400: components["responses"]["BadRequest"];
            /**
             * @description - `missing_auth_header`: The request has no Authorization header.
             *     - `invalid_token`: The Authorization header has no bearer token.
             *     - `invalid_api_key`: No key matches the token.
             *     - `api_key_revoked`: The key was revoked, which is permanent.
             *     - `api_key_expired`: The key has expired.
             *     - `api_key_owner_inactive`: The member's membership or account is disabled or was removed.
             */
            401: components["responses"]["Unauthorized"];
            /** @description - `totp_enrollment_required`: The organization or a group requires two-factor authentication, and the member has not enrolled. */
            403: components["responses"]["Forbidden"];
            /** @description - `not_found`: The resource does not exist, or the member may not see or change it. Details: field. */
            404: components["responses"]["NotFound"];
            /**
             * @description - `rate_limited`: The key is over its rate limit; wait for Retry-After seconds.
             *     - `too_many_unknown_keys`: The address sent too many requests with unknown or no tokens; wait for Retry-After seconds.
             */
            429: components["responses"]["TooManyRequests"];
            /** @description - `internal_error`: The server failed. */
            500: components["responses"]["InternalServerError"];
            /** @description - `service_unavailable`: The database does not respond or its disk is full, or too many requests wait for it; wait for Retry-After seconds. A write may have taken effect. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getServiceMetrics: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the service.
                 * @example 019aa0f0-1234-7abc-8def-0123456789ab
                 */
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
                    /**
                     * @example {
                     *       "counters": {
                     *         "probesTotal": 1440,
                     *         "probesSuccess": 1432,
                     *         "probesFailure": 6,
                     *         "probesTimeout": 2
                     *       },
                     *       "state": {
                     *         "lastStatus": "success",
                     *         "lastConsecutive": 122,
                     *         "lastResponseMs": 184,
                     *         "lastRunAt": 1795177800
                     *       },
                     *       "percentiles": {
                     *         "p50": 176,
                     *         "p95": 312,
                     *         "p99": 540
                     *       },
                     *       "serviceCount": 3,
                     *       "projectCount": 1
                     *     }
                     */
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
            400: components["responses"]["BadRequest"];
            /**
             * @description - `missing_auth_header`: The request has no Authorization header.
             *     - `invalid_token`: The Authorization header has no bearer token.
             *     - `invalid_api_key`: No key matches the token.
             *     - `api_key_revoked`: The key was revoked, which is permanent.
             *     - `api_key_expired`: The key has expired.
             *     - `api_key_owner_inactive`: The member's membership or account is disabled or was removed.
             */
            401: components["responses"]["Unauthorized"];
            /** @description - `totp_enrollment_required`: The organization or a group requires two-factor authentication, and the member has not enrolled. */
            403: components["responses"]["Forbidden"];
            /** @description - `not_found`: The resource does not exist, or the member may not see or change it. Details: field. */
            404: components["responses"]["NotFound"];
            /**
             * @description - `rate_limited`: The key is over its rate limit; wait for Retry-After seconds.
             *     - `too_many_unknown_keys`: The address sent too many requests with unknown or no tokens; wait for Retry-After seconds.
             */
            429: components["responses"]["TooManyRequests"];
            /** @description - `internal_error`: The server failed. */
            500: components["responses"]["InternalServerError"];
            /** @description - `service_unavailable`: The database does not respond or its disk is full, or too many requests wait for it; wait for Retry-After seconds. A write may have taken effect. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getServiceMetricsHistory: {
        parameters: {
            query?: {
                /**
                 * @description How many whole UTC hours to read, the current one included.
                 * @example 24
                 */
                hours?: number;
            };
            header?: never;
            path: {
                /**
                 * @description The id of the service.
                 * @example 019aa0f0-1234-7abc-8def-0123456789ab
                 */
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
                    /**
                     * @example [
                     *       {
                     *         "hour": "2026-11-20T12:00:00.000Z",
                     *         "total": 12,
                     *         "success": 11,
                     *         "failure": 1,
                     *         "timeout": 0,
                     *         "sumMs": 2208,
                     *         "callCount": 24
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["HourlyBucket"][];
                };
            };
            /**
             * @description - `field_invalid`: A parameter or a checked value is not accepted. Details: field, reason, max, errors, unknown.
             *     - `invalid_uuid`: An id is not a UUID. Details: field, errors.
             *     - `invalid_path`: The path is not in its canonical form.
             */
            400: components["responses"]["BadRequest"];
            /**
             * @description - `missing_auth_header`: The request has no Authorization header.
             *     - `invalid_token`: The Authorization header has no bearer token.
             *     - `invalid_api_key`: No key matches the token.
             *     - `api_key_revoked`: The key was revoked, which is permanent.
             *     - `api_key_expired`: The key has expired.
             *     - `api_key_owner_inactive`: The member's membership or account is disabled or was removed.
             */
            401: components["responses"]["Unauthorized"];
            /** @description - `totp_enrollment_required`: The organization or a group requires two-factor authentication, and the member has not enrolled. */
            403: components["responses"]["Forbidden"];
            /** @description - `not_found`: The resource does not exist, or the member may not see or change it. Details: field. */
            404: components["responses"]["NotFound"];
            /**
             * @description - `rate_limited`: The key is over its rate limit; wait for Retry-After seconds.
             *     - `too_many_unknown_keys`: The address sent too many requests with unknown or no tokens; wait for Retry-After seconds.
             */
            429: components["responses"]["TooManyRequests"];
            /** @description - `internal_error`: The server failed. */
            500: components["responses"]["InternalServerError"];
            /** @description - `service_unavailable`: The database does not respond or its disk is full, or too many requests wait for it; wait for Retry-After seconds. A write may have taken effect. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getServiceStatistics: {
        parameters: {
            query?: {
                /**
                 * @description The window, which ends now and consists of whole UTC hours (`24h`, `7d`) or days (`30d`, `90d`), the current one included.
                 * @example 24h
                 */
                window?: "24h" | "7d" | "30d" | "90d";
            };
            header?: never;
            path: {
                /**
                 * @description The id of the service.
                 * @example 019aa0f0-1234-7abc-8def-0123456789ab
                 */
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
                    /**
                     * @example {
                     *       "window": "24h",
                     *       "bucketType": "hour",
                     *       "overall": [
                     *         {
                     *           "bucketStart": "2026-11-20T12:00:00.000Z",
                     *           "p50Ms": 92,
                     *           "p95Ms": 184,
                     *           "p99Ms": 310,
                     *           "uptimePct": 91.67,
                     *           "errorRatePct": 8.33,
                     *           "probeCount": 12
                     *         }
                     *       ],
                     *       "regions": [
                     *         {
                     *           "agentSlug": "frankfurt",
                     *           "buckets": [
                     *             {
                     *               "bucketStart": "2026-11-20T12:00:00.000Z",
                     *               "p50Ms": 92,
                     *               "p95Ms": 184,
                     *               "p99Ms": 310,
                     *               "uptimePct": 91.67,
                     *               "errorRatePct": 8.33,
                     *               "probeCount": 12
                     *             }
                     *           ]
                     *         }
                     *       ],
                     *       "endpoints": [
                     *         {
                     *           "key": "q1w2E3r4T5y6U7i8O9p0aB",
                     *           "method": "GET",
                     *           "template": "https://shop.example/cart/$cartId",
                     *           "calls": 25,
                     *           "failedCalls": 1,
                     *           "statusCodes": {
                     *             "200": 24,
                     *             "none": 1
                     *           },
                     *           "avgSizeBytes": 5120,
                     *           "p50Ms": 92,
                     *           "p95Ms": 184,
                     *           "p99Ms": 310,
                     *           "phases": {
                     *             "dnsMs": {
                     *               "avgMs": 12.4,
                     *               "previousAvgMs": 11.8
                     *             },
                     *             "connectMs": {
                     *               "avgMs": 12.4,
                     *               "previousAvgMs": 11.8
                     *             },
                     *             "tlsMs": {
                     *               "avgMs": 12.4,
                     *               "previousAvgMs": 11.8
                     *             },
                     *             "ttfbMs": {
                     *               "avgMs": 12.4,
                     *               "previousAvgMs": 11.8
                     *             },
                     *             "transferMs": {
                     *               "avgMs": 12.4,
                     *               "previousAvgMs": 11.8
                     *             },
                     *             "responseTimeMs": {
                     *               "avgMs": 12.4,
                     *               "previousAvgMs": 11.8
                     *             }
                     *           },
                     *           "previous": {
                     *             "calls": 25,
                     *             "failedCalls": 1,
                     *             "statusCodes": {
                     *               "200": 24,
                     *               "none": 1
                     *             },
                     *             "avgSizeBytes": 5120
                     *           }
                     *         }
                     *       ],
                     *       "endpointsTruncated": false
                     *     }
                     */
                    "application/json": components["schemas"]["Statistics"];
                };
            };
            /**
             * @description - `field_invalid`: A parameter or a checked value is not accepted. Details: field, reason, max, errors, unknown.
             *     - `invalid_uuid`: An id is not a UUID. Details: field, errors.
             *     - `invalid_path`: The path is not in its canonical form.
             */
            400: components["responses"]["BadRequest"];
            /**
             * @description - `missing_auth_header`: The request has no Authorization header.
             *     - `invalid_token`: The Authorization header has no bearer token.
             *     - `invalid_api_key`: No key matches the token.
             *     - `api_key_revoked`: The key was revoked, which is permanent.
             *     - `api_key_expired`: The key has expired.
             *     - `api_key_owner_inactive`: The member's membership or account is disabled or was removed.
             */
            401: components["responses"]["Unauthorized"];
            /** @description - `totp_enrollment_required`: The organization or a group requires two-factor authentication, and the member has not enrolled. */
            403: components["responses"]["Forbidden"];
            /** @description - `not_found`: The resource does not exist, or the member may not see or change it. Details: field. */
            404: components["responses"]["NotFound"];
            /**
             * @description - `rate_limited`: The key is over its rate limit; wait for Retry-After seconds.
             *     - `too_many_unknown_keys`: The address sent too many requests with unknown or no tokens; wait for Retry-After seconds.
             */
            429: components["responses"]["TooManyRequests"];
            /** @description - `internal_error`: The server failed. */
            500: components["responses"]["InternalServerError"];
            /** @description - `service_unavailable`: The database does not respond or its disk is full, or too many requests wait for it; wait for Retry-After seconds. A write may have taken effect. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getServiceAssertionFailures: {
        parameters: {
            query?: {
                /**
                 * @description The window, which ends now and consists of whole UTC hours (`24h`, `7d`) or days (`30d`, `90d`), the current one included.
                 * @example 24h
                 */
                window?: "24h" | "7d" | "30d" | "90d";
            };
            header?: never;
            path: {
                /**
                 * @description The id of the service.
                 * @example 019aa0f0-1234-7abc-8def-0123456789ab
                 */
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
                    /**
                     * @example {
                     *       "window": "24h",
                     *       "since": "2026-11-19T13:00:00.000Z",
                     *       "until": "2026-11-20T12:30:00.000Z",
                     *       "truncated": false,
                     *       "assertions": [
                     *         {
                     *           "key": "Zx8Yw7Vu6Ts5Rq4Po3Nm2L",
                     *           "endpoint": {
                     *             "method": "GET",
                     *             "template": "https://shop.example/cart/$cartId"
                     *           },
                     *           "assertion": "expect",
                     *           "kind": "expect",
                     *           "scope": "status",
                     *           "op": "eq",
                     *           "expected": 200,
                     *           "expression": null,
                     *           "failures": 3,
                     *           "evaluations": 288,
                     *           "failureRatePct": 1.04,
                     *           "lastFailedAt": "2026-11-20T12:30:00.000Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["AssertionFailures"];
                };
            };
            /**
             * @description - `field_invalid`: A parameter or a checked value is not accepted. Details: field, reason, max, errors, unknown.
             *     - `invalid_uuid`: An id is not a UUID. Details: field, errors.
             *     - `invalid_path`: The path is not in its canonical form.
             */
            400: components["responses"]["BadRequest"];
            /**
             * @description - `missing_auth_header`: The request has no Authorization header.
             *     - `invalid_token`: The Authorization header has no bearer token.
             *     - `invalid_api_key`: No key matches the token.
             *     - `api_key_revoked`: The key was revoked, which is permanent.
             *     - `api_key_expired`: The key has expired.
             *     - `api_key_owner_inactive`: The member's membership or account is disabled or was removed.
             */
            401: components["responses"]["Unauthorized"];
            /** @description - `totp_enrollment_required`: The organization or a group requires two-factor authentication, and the member has not enrolled. */
            403: components["responses"]["Forbidden"];
            /** @description - `not_found`: The resource does not exist, or the member may not see or change it. Details: field. */
            404: components["responses"]["NotFound"];
            /**
             * @description - `rate_limited`: The key is over its rate limit; wait for Retry-After seconds.
             *     - `too_many_unknown_keys`: The address sent too many requests with unknown or no tokens; wait for Retry-After seconds.
             */
            429: components["responses"]["TooManyRequests"];
            /** @description - `internal_error`: The server failed. */
            500: components["responses"]["InternalServerError"];
            /** @description - `service_unavailable`: The database does not respond or its disk is full, or too many requests wait for it; wait for Retry-After seconds. A write may have taken effect. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getServiceEndpointSeries: {
        parameters: {
            query?: {
                /**
                 * @description The window, which ends now and consists of whole UTC hours (`24h`, `7d`) or days (`30d`, `90d`), the current one included.
                 * @example 24h
                 */
                window?: "24h" | "7d" | "30d" | "90d";
            };
            header?: never;
            path: {
                /**
                 * @description The id of the service.
                 * @example 019aa0f0-1234-7abc-8def-0123456789ab
                 */
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
                    /**
                     * @example {
                     *       "window": "24h",
                     *       "bucketType": "hour",
                     *       "buckets": [
                     *         "2026-11-20T12:00:00.000Z"
                     *       ],
                     *       "all": [
                     *         {
                     *           "bucketStart": "2026-11-20T12:00:00.000Z",
                     *           "calls": 25,
                     *           "failedCalls": 1,
                     *           "p50Ms": 92,
                     *           "p95Ms": 184,
                     *           "p99Ms": 310,
                     *           "errorRatePct": 4
                     *         }
                     *       ],
                     *       "endpoints": [
                     *         {
                     *           "key": "q1w2E3r4T5y6U7i8O9p0aB",
                     *           "method": "GET",
                     *           "template": "https://shop.example/cart/$cartId",
                     *           "points": [
                     *             {
                     *               "bucketStart": "2026-11-20T12:00:00.000Z",
                     *               "calls": 25,
                     *               "failedCalls": 1,
                     *               "p50Ms": 92,
                     *               "p95Ms": 184,
                     *               "p99Ms": 310,
                     *               "errorRatePct": 4
                     *             }
                     *           ]
                     *         }
                     *       ],
                     *       "endpointsTruncated": false
                     *     }
                     */
                    "application/json": components["schemas"]["EndpointSeries"];
                };
            };
            /**
             * @description - `field_invalid`: A parameter or a checked value is not accepted. Details: field, reason, max, errors, unknown.
             *     - `invalid_uuid`: An id is not a UUID. Details: field, errors.
             *     - `invalid_path`: The path is not in its canonical form.
             */
            400: components["responses"]["BadRequest"];
            /**
             * @description - `missing_auth_header`: The request has no Authorization header.
             *     - `invalid_token`: The Authorization header has no bearer token.
             *     - `invalid_api_key`: No key matches the token.
             *     - `api_key_revoked`: The key was revoked, which is permanent.
             *     - `api_key_expired`: The key has expired.
             *     - `api_key_owner_inactive`: The member's membership or account is disabled or was removed.
             */
            401: components["responses"]["Unauthorized"];
            /** @description - `totp_enrollment_required`: The organization or a group requires two-factor authentication, and the member has not enrolled. */
            403: components["responses"]["Forbidden"];
            /** @description - `not_found`: The resource does not exist, or the member may not see or change it. Details: field. */
            404: components["responses"]["NotFound"];
            /**
             * @description - `rate_limited`: The key is over its rate limit; wait for Retry-After seconds.
             *     - `too_many_unknown_keys`: The address sent too many requests with unknown or no tokens; wait for Retry-After seconds.
             */
            429: components["responses"]["TooManyRequests"];
            /** @description - `internal_error`: The server failed. */
            500: components["responses"]["InternalServerError"];
            /** @description - `service_unavailable`: The database does not respond or its disk is full, or too many requests wait for it; wait for Retry-After seconds. A write may have taken effect. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getServiceFailureHeatmap: {
        parameters: {
            query?: {
                /**
                 * @description How many whole UTC days to read, the current one included.
                 * @example 90
                 */
                days?: number;
            };
            header?: never;
            path: {
                /**
                 * @description The id of the service.
                 * @example 019aa0f0-1234-7abc-8def-0123456789ab
                 */
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
                    /**
                     * @example {
                     *       "days": 90,
                     *       "timezone": "UTC",
                     *       "since": "2026-08-23T00:00:00.000Z",
                     *       "until": "2026-11-20T12:30:00.000Z",
                     *       "coveredFrom": "2026-11-01T00:00:00.000Z",
                     *       "coveredTo": "2026-11-20T12:30:00.000Z",
                     *       "totalRuns": 5616,
                     *       "totalFailedRuns": 42,
                     *       "cells": [
                     *         {
                     *           "weekday": 5,
                     *           "hour": 12,
                     *           "runs": 33,
                     *           "failedRuns": 2
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["FailureHeatmap"];
                };
            };
            /**
             * @description - `field_invalid`: A parameter or a checked value is not accepted. Details: field, reason, max, errors, unknown.
             *     - `invalid_uuid`: An id is not a UUID. Details: field, errors.
             *     - `invalid_path`: The path is not in its canonical form.
             */
            400: components["responses"]["BadRequest"];
            /**
             * @description - `missing_auth_header`: The request has no Authorization header.
             *     - `invalid_token`: The Authorization header has no bearer token.
             *     - `invalid_api_key`: No key matches the token.
             *     - `api_key_revoked`: The key was revoked, which is permanent.
             *     - `api_key_expired`: The key has expired.
             *     - `api_key_owner_inactive`: The member's membership or account is disabled or was removed.
             */
            401: components["responses"]["Unauthorized"];
            /** @description - `totp_enrollment_required`: The organization or a group requires two-factor authentication, and the member has not enrolled. */
            403: components["responses"]["Forbidden"];
            /** @description - `not_found`: The resource does not exist, or the member may not see or change it. Details: field. */
            404: components["responses"]["NotFound"];
            /**
             * @description - `rate_limited`: The key is over its rate limit; wait for Retry-After seconds.
             *     - `too_many_unknown_keys`: The address sent too many requests with unknown or no tokens; wait for Retry-After seconds.
             */
            429: components["responses"]["TooManyRequests"];
            /** @description - `internal_error`: The server failed. */
            500: components["responses"]["InternalServerError"];
            /** @description - `service_unavailable`: The database does not respond or its disk is full, or too many requests wait for it; wait for Retry-After seconds. A write may have taken effect. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listResults: {
        parameters: {
            query?: {
                /**
                 * @description Only runs of the agent with this slug.
                 * @example frankfurt
                 */
                agent?: string;
                /**
                 * @description The page to read, from 1. `page` times `pageSize` is at most 100,000.
                 * @example 1
                 */
                page?: number;
                /**
                 * @description How many entries a page has at most.
                 * @example 50
                 */
                pageSize?: number;
                /**
                 * @description Only runs that started at or after this time, rounded down to the second. A date means midnight in UTC.
                 * @example 2026-01-31T09:30:00Z
                 */
                since?: string;
                /**
                 * @description Only runs that ended like this. `failed` means failures and timeouts.
                 * @example failed
                 */
                status?: "success" | "failure" | "timeout" | "skipped" | "failed";
                /**
                 * @description Only runs that started at or before this time. Pages end at 100,000 rows; to read older runs, pass the start of the last run here.
                 * @example 2026-01-31T09:30:00Z
                 */
                until?: string;
                /**
                 * @description Only runs of this version of the script.
                 * @example 17
                 */
                version?: number;
            };
            header?: never;
            path: {
                /**
                 * @description The id of the service.
                 * @example 019aa0f0-1234-7abc-8def-0123456789ab
                 */
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
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "id": "019aa0f4-7f2b-7c3d-8e4f-6a5b4c3d2e1f",
                     *           "status": "failure",
                     *           "runDurationMs": 412,
                     *           "totalResponseMs": 184,
                     *           "startedAt": "2026-11-20T12:30:00.000Z",
                     *           "agentSlug": "frankfurt",
                     *           "summary": "GET https://shop.example/cart: status 500, expected 200 (2 more failed)",
                     *           "scriptVersion": 17,
                     *           "runId": "019aa0f4-8c3d-7e4f-9a5b-6c7d8e9f0a1b"
                     *         }
                     *       ],
                     *       "total": 1,
                     *       "page": 1,
                     *       "pageSize": 50
                     *     }
                     */
                    "application/json": components["schemas"]["ResultPage"];
                };
            };
            /**
             * @description - `field_invalid`: A parameter or a checked value is not accepted. Details: field, reason, max, errors, unknown.
             *     - `invalid_uuid`: An id is not a UUID. Details: field, errors.
             *     - `invalid_path`: The path is not in its canonical form.
             */
            400: components["responses"]["BadRequest"];
            /**
             * @description - `missing_auth_header`: The request has no Authorization header.
             *     - `invalid_token`: The Authorization header has no bearer token.
             *     - `invalid_api_key`: No key matches the token.
             *     - `api_key_revoked`: The key was revoked, which is permanent.
             *     - `api_key_expired`: The key has expired.
             *     - `api_key_owner_inactive`: The member's membership or account is disabled or was removed.
             */
            401: components["responses"]["Unauthorized"];
            /** @description - `totp_enrollment_required`: The organization or a group requires two-factor authentication, and the member has not enrolled. */
            403: components["responses"]["Forbidden"];
            /** @description - `not_found`: The resource does not exist, or the member may not see or change it. Details: field. */
            404: components["responses"]["NotFound"];
            /**
             * @description - `rate_limited`: The key is over its rate limit; wait for Retry-After seconds.
             *     - `too_many_unknown_keys`: The address sent too many requests with unknown or no tokens; wait for Retry-After seconds.
             */
            429: components["responses"]["TooManyRequests"];
            /** @description - `internal_error`: The server failed. */
            500: components["responses"]["InternalServerError"];
            /** @description - `service_unavailable`: The database does not respond or its disk is full, or too many requests wait for it; wait for Retry-After seconds. A write may have taken effect. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getResult: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the service.
                 * @example 019aa0f0-1234-7abc-8def-0123456789ab
                 */
                id: string;
                /**
                 * @description The id of the result.
                 * @example 019aa0f4-7f2b-7c3d-8e4f-6a5b4c3d2e1f
                 */
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
                    /**
                     * @example {
                     *       "id": "019aa0f4-7f2b-7c3d-8e4f-6a5b4c3d2e1f",
                     *       "serviceId": "019aa0f0-1234-7abc-8def-0123456789ab",
                     *       "status": "success",
                     *       "runDurationMs": 412,
                     *       "startedAt": "2026-11-20T12:30:00.000Z",
                     *       "probeAgentId": "019aa0f4-1111-7aaa-8bbb-2c3d4e5f6a7b",
                     *       "agentSlug": "frankfurt",
                     *       "scriptVersion": 17,
                     *       "runId": "019aa0f4-8c3d-7e4f-9a5b-6c7d8e9f0a1b",
                     *       "summary": "GET https://shop.example/cart: status 500, expected 200 (2 more failed)",
                     *       "error": null,
                     *       "failure": null,
                     *       "rawResult": {
                     *         "outcome": "success",
                     *         "calls": []
                     *       },
                     *       "steps": [
                     *         {
                     *           "id": "019aa0f4-7f2c-7d4e-8f50-7b6c5d4e3f20",
                     *           "stepNum": 1,
                     *           "method": "GET",
                     *           "urlTemplate": "https://shop.example/cart/$cartId",
                     *           "outcome": "success",
                     *           "requestUrl": "https://shop.example/cart/42",
                     *           "statusCode": 200,
                     *           "responseTimeMs": 184,
                     *           "dnsMs": 4,
                     *           "connectMs": 12,
                     *           "tlsMs": 21,
                     *           "ttfbMs": 139,
                     *           "transferMs": 8,
                     *           "waitMs": 500,
                     *           "traceId": null,
                     *           "responseSizeBytes": 5120,
                     *           "error": null,
                     *           "assertionResults": [
                     *             {
                     *               "method": "expect",
                     *               "outcome": "passed",
                     *               "scope": "status",
                     *               "op": "eq",
                     *               "expected": 200,
                     *               "actual": 200
                     *             }
                     *           ],
                     *           "headers": {
                     *             "content-type": "application/json"
                     *           },
                     *           "hasBody": true,
                     *           "bodyNotStoredReason": null
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Result"];
                };
            };
            /**
             * @description - `invalid_uuid`: An id is not a UUID. Details: field, errors.
             *     - `invalid_path`: The path is not in its canonical form.
             */
            400: components["responses"]["BadRequest"];
            /**
             * @description - `missing_auth_header`: The request has no Authorization header.
             *     - `invalid_token`: The Authorization header has no bearer token.
             *     - `invalid_api_key`: No key matches the token.
             *     - `api_key_revoked`: The key was revoked, which is permanent.
             *     - `api_key_expired`: The key has expired.
             *     - `api_key_owner_inactive`: The member's membership or account is disabled or was removed.
             */
            401: components["responses"]["Unauthorized"];
            /** @description - `totp_enrollment_required`: The organization or a group requires two-factor authentication, and the member has not enrolled. */
            403: components["responses"]["Forbidden"];
            /** @description - `not_found`: The resource does not exist, or the member may not see or change it. Details: field. */
            404: components["responses"]["NotFound"];
            /**
             * @description - `rate_limited`: The key is over its rate limit; wait for Retry-After seconds.
             *     - `too_many_unknown_keys`: The address sent too many requests with unknown or no tokens; wait for Retry-After seconds.
             */
            429: components["responses"]["TooManyRequests"];
            /** @description - `internal_error`: The server failed. */
            500: components["responses"]["InternalServerError"];
            /** @description - `service_unavailable`: The database does not respond or its disk is full, or too many requests wait for it; wait for Retry-After seconds. A write may have taken effect. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getStepBody: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the service.
                 * @example 019aa0f0-1234-7abc-8def-0123456789ab
                 */
                id: string;
                /**
                 * @description The id of the result.
                 * @example 019aa0f4-7f2b-7c3d-8e4f-6a5b4c3d2e1f
                 */
                resultId: string;
                /**
                 * @description The id of the step.
                 * @example 019aa0f4-7f2c-7d4e-8f50-7b6c5d4e3f20
                 */
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
                    /**
                     * @example {
                     *       "content": "{\"greeting\":\"Ahoy\"}",
                     *       "contentType": "application/json",
                     *       "encoding": null
                     *     }
                     */
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
            400: components["responses"]["BadRequest"];
            /**
             * @description - `missing_auth_header`: The request has no Authorization header.
             *     - `invalid_token`: The Authorization header has no bearer token.
             *     - `invalid_api_key`: No key matches the token.
             *     - `api_key_revoked`: The key was revoked, which is permanent.
             *     - `api_key_expired`: The key has expired.
             *     - `api_key_owner_inactive`: The member's membership or account is disabled or was removed.
             */
            401: components["responses"]["Unauthorized"];
            /** @description - `totp_enrollment_required`: The organization or a group requires two-factor authentication, and the member has not enrolled. */
            403: components["responses"]["Forbidden"];
            /** @description - `not_found`: The resource does not exist, or the member may not see or change it. Details: field. */
            404: components["responses"]["NotFound"];
            /** @description - `body_gone`: The body was recorded, but it is no longer stored. */
            410: components["responses"]["Gone"];
            /** @description - `body_too_large`: The stored body is too large to be served inline. Details: maxBytes. */
            413: components["responses"]["ContentTooLarge"];
            /**
             * @description - `rate_limited`: The key is over its rate limit; wait for Retry-After seconds.
             *     - `too_many_unknown_keys`: The address sent too many requests with unknown or no tokens; wait for Retry-After seconds.
             */
            429: components["responses"]["TooManyRequests"];
            /** @description - `internal_error`: The server failed. */
            500: components["responses"]["InternalServerError"];
            /**
             * @description - `body_store_unavailable`: The body store did not respond in time; wait for Retry-After seconds.
             *     - `service_unavailable`: The database does not respond or its disk is full, or too many requests wait for it; wait for Retry-After seconds. A write may have taken effect.
             */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    runService: {
        parameters: {
            query?: {
                /**
                 * @description How many seconds to wait for the end: the response is sent when everything is done, or after this time with the current state. A request that waits counts once against the rate limit.
                 * @example 30
                 */
                wait?: number;
            };
            header?: {
                /**
                 * @description Makes the request safe to repeat: for 24 hours, a request of this API key with the same value and the same content gets the response of the first successful one again and changes nothing, if its member still has permission. Errors are not stored. Use a new value, such as a UUID, for each operation.
                 * @example 0b8a2f4e-6c1d-4f5a-9f3e-2d7c5b1a9e80
                 */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description The id of the service.
                 * @example 019aa0f0-1234-7abc-8def-0123456789ab
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "variables": {
                 *         "s.base": "https://preview-42.shop.example"
                 *       },
                 *       "note": "deploy 42"
                 *     }
                 */
                "application/json": components["schemas"]["RunServiceRequest"];
            };
        };
        responses: {
            /** @description Accepted: the work is done asynchronously. */
            202: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "ok": true,
                     *       "requestedAt": "2026-11-20T12:30:00.000Z",
                     *       "runId": "019aa0f4-8c3d-7e4f-9a5b-6c7d8e9f0a1b",
                     *       "url": "https://soundline.example.com/services/019aa0f0-1234-7abc-8def-0123456789ab/runs/019aa0f4-8c3d-7e4f-9a5b-6c7d8e9f0a1b",
                     *       "joined": false,
                     *       "run": {
                     *         "id": "019aa0f4-8c3d-7e4f-9a5b-6c7d8e9f0a1b",
                     *         "serviceId": "019aa0f0-1234-7abc-8def-0123456789ab",
                     *         "url": "https://soundline.example.com/services/019aa0f0-1234-7abc-8def-0123456789ab/runs/019aa0f4-8c3d-7e4f-9a5b-6c7d8e9f0a1b",
                     *         "state": "done",
                     *         "cause": "request",
                     *         "requestedAt": "2026-11-20T12:30:00.000Z",
                     *         "startedAt": "2026-11-20T12:30:00.000Z",
                     *         "finishedAt": "2026-11-20T12:30:00.412Z",
                     *         "outcome": "failure",
                     *         "summary": "GET https://shop.example/cart: status 500, expected 200",
                     *         "note": "deploy 42",
                     *         "variables": {
                     *           "s.base": "https://preview-42.shop.example"
                     *         },
                     *         "scriptVersion": 17,
                     *         "results": [
                     *           {
                     *             "id": "019aa0f4-7f2b-7c3d-8e4f-6a5b4c3d2e1f",
                     *             "status": "failure",
                     *             "agentSlug": "frankfurt",
                     *             "startedAt": "2026-11-20T12:30:00.000Z",
                     *             "runDurationMs": 412,
                     *             "totalResponseMs": 398,
                     *             "summary": "GET https://shop.example/cart: status 500, expected 200",
                     *             "url": "https://soundline.example.com/services/019aa0f0-1234-7abc-8def-0123456789ab/results/019aa0f4-7f2b-7c3d-8e4f-6a5b4c3d2e1f"
                     *           }
                     *         ],
                     *         "skippedAgents": [
                     *           {
                     *             "agentSlug": "frankfurt",
                     *             "reason": "the agent frankfurt was not connected"
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["RunRequested"];
                };
            };
            /**
             * @description - `field_invalid`: A parameter or a checked value is not accepted. Details: field, reason, max, errors, unknown.
             *     - `invalid_uuid`: An id is not a UUID. Details: field, errors.
             *     - `invalid_request_body`: The body is not a JSON object, or one of its fields is not accepted. Details: field, reason, errors.
             *     - `invalid_path`: The path is not in its canonical form.
             *     - `blocked_probe_target`: The script targets a URL that probes must not request: one with a private, loopback or reserved address, an address of the server itself, an internal name, a scheme other than http and https, a port of another protocol (the bad ports of the Fetch standard), or a user name or password. `details.reason` says which. Details: field, reason, callIndex.
             *     - `unverified_domain_call_limit`: The script makes more than three calls while it targets an unverified domain. Details: field, reason, max, hosts.
             *     - `unverified_domain_includes`: The script uses an includes check while it targets an unverified domain. Details: field, reason, hosts.
             *     - `unverified_domain_interval`: The schedule runs more often than every five minutes while the script targets an unverified domain. Details: field, reason, hosts.
             *     - `run_limit_reached`: The service has reached its limit of waiting runs with values. Details: max.
             */
            400: components["responses"]["BadRequest"];
            /**
             * @description - `missing_auth_header`: The request has no Authorization header.
             *     - `invalid_token`: The Authorization header has no bearer token.
             *     - `invalid_api_key`: No key matches the token.
             *     - `api_key_revoked`: The key was revoked, which is permanent.
             *     - `api_key_expired`: The key has expired.
             *     - `api_key_owner_inactive`: The member's membership or account is disabled or was removed.
             */
            401: components["responses"]["Unauthorized"];
            /**
             * @description - `api_key_read_only`: A read key sent a method other than GET or HEAD.
             *     - `totp_enrollment_required`: The organization or a group requires two-factor authentication, and the member has not enrolled.
             */
            403: components["responses"]["Forbidden"];
            /** @description - `not_found`: The resource does not exist, or the member may not see or change it. Details: field. */
            404: components["responses"]["NotFound"];
            /**
             * @description - `service_inactive`: The service is switched off.
             *     - `script_missing`: The service has no script.
             *     - `idempotency_mismatch`: The `Idempotency-Key` was used for another request within 24 hours.
             *     - `idempotency_in_progress`: The first request with this `Idempotency-Key` is still running; wait for Retry-After seconds.
             */
            409: components["responses"]["Conflict"];
            /** @description - `request_body_too_large`: The request body is over the limit. Details: maxBytes. */
            413: components["responses"]["ContentTooLarge"];
            /**
             * @description - `rate_limited`: The key is over its rate limit; wait for Retry-After seconds.
             *     - `too_many_unknown_keys`: The address sent too many requests with unknown or no tokens; wait for Retry-After seconds.
             */
            429: components["responses"]["TooManyRequests"];
            /** @description - `internal_error`: The server failed. */
            500: components["responses"]["InternalServerError"];
            /** @description - `service_unavailable`: The database does not respond or its disk is full, or too many requests wait for it; wait for Retry-After seconds. A write may have taken effect. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listRuns: {
        parameters: {
            query?: {
                /**
                 * @description Only runs of this cause.
                 * @example request
                 */
                cause?: "schedule" | "request" | "confirmation";
                /**
                 * @description The page to read, from 1. `page` times `pageSize` is at most 100,000.
                 * @example 1
                 */
                page?: number;
                /**
                 * @description How many entries a page has at most.
                 * @example 50
                 */
                pageSize?: number;
                /**
                 * @description Only runs in this state.
                 * @example done
                 */
                state?: "queued" | "running" | "done";
            };
            header?: never;
            path: {
                /**
                 * @description The id of the service.
                 * @example 019aa0f0-1234-7abc-8def-0123456789ab
                 */
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
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "id": "019aa0f4-8c3d-7e4f-9a5b-6c7d8e9f0a1b",
                     *           "serviceId": "019aa0f0-1234-7abc-8def-0123456789ab",
                     *           "url": "https://soundline.example.com/services/019aa0f0-1234-7abc-8def-0123456789ab/runs/019aa0f4-8c3d-7e4f-9a5b-6c7d8e9f0a1b",
                     *           "state": "done",
                     *           "cause": "request",
                     *           "requestedAt": "2026-11-20T12:30:00.000Z",
                     *           "startedAt": "2026-11-20T12:30:00.000Z",
                     *           "finishedAt": "2026-11-20T12:30:00.412Z",
                     *           "outcome": "failure",
                     *           "summary": "GET https://shop.example/cart: status 500, expected 200",
                     *           "note": "deploy 42",
                     *           "variables": {
                     *             "s.base": "https://preview-42.shop.example"
                     *           },
                     *           "scriptVersion": 17,
                     *           "results": [
                     *             {
                     *               "id": "019aa0f4-7f2b-7c3d-8e4f-6a5b4c3d2e1f",
                     *               "status": "failure",
                     *               "agentSlug": "frankfurt",
                     *               "startedAt": "2026-11-20T12:30:00.000Z",
                     *               "runDurationMs": 412,
                     *               "totalResponseMs": 398,
                     *               "summary": "GET https://shop.example/cart: status 500, expected 200",
                     *               "url": "https://soundline.example.com/services/019aa0f0-1234-7abc-8def-0123456789ab/results/019aa0f4-7f2b-7c3d-8e4f-6a5b4c3d2e1f"
                     *             }
                     *           ],
                     *           "skippedAgents": [
                     *             {
                     *               "agentSlug": "frankfurt",
                     *               "reason": "the agent frankfurt was not connected"
                     *             }
                     *           ]
                     *         }
                     *       ],
                     *       "total": 1,
                     *       "page": 1,
                     *       "pageSize": 50
                     *     }
                     */
                    "application/json": components["schemas"]["RunPage"];
                };
            };
            /**
             * @description - `field_invalid`: A parameter or a checked value is not accepted. Details: field, reason, max, errors, unknown.
             *     - `invalid_uuid`: An id is not a UUID. Details: field, errors.
             *     - `invalid_path`: The path is not in its canonical form.
             */
            400: components["responses"]["BadRequest"];
            /**
             * @description - `missing_auth_header`: The request has no Authorization header.
             *     - `invalid_token`: The Authorization header has no bearer token.
             *     - `invalid_api_key`: No key matches the token.
             *     - `api_key_revoked`: The key was revoked, which is permanent.
             *     - `api_key_expired`: The key has expired.
             *     - `api_key_owner_inactive`: The member's membership or account is disabled or was removed.
             */
            401: components["responses"]["Unauthorized"];
            /** @description - `totp_enrollment_required`: The organization or a group requires two-factor authentication, and the member has not enrolled. */
            403: components["responses"]["Forbidden"];
            /** @description - `not_found`: The resource does not exist, or the member may not see or change it. Details: field. */
            404: components["responses"]["NotFound"];
            /**
             * @description - `rate_limited`: The key is over its rate limit; wait for Retry-After seconds.
             *     - `too_many_unknown_keys`: The address sent too many requests with unknown or no tokens; wait for Retry-After seconds.
             */
            429: components["responses"]["TooManyRequests"];
            /** @description - `internal_error`: The server failed. */
            500: components["responses"]["InternalServerError"];
            /** @description - `service_unavailable`: The database does not respond or its disk is full, or too many requests wait for it; wait for Retry-After seconds. A write may have taken effect. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getRun: {
        parameters: {
            query?: {
                /**
                 * @description How many seconds to wait for the end: the response is sent when everything is done, or after this time with the current state. A request that waits counts once against the rate limit.
                 * @example 30
                 */
                wait?: number;
            };
            header?: never;
            path: {
                /**
                 * @description The id of the service.
                 * @example 019aa0f0-1234-7abc-8def-0123456789ab
                 */
                id: string;
                /**
                 * @description The id of the run.
                 * @example 019aa0f4-8c3d-7e4f-9a5b-6c7d8e9f0a1b
                 */
                runId: string;
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
                    /**
                     * @example {
                     *       "id": "019aa0f4-8c3d-7e4f-9a5b-6c7d8e9f0a1b",
                     *       "serviceId": "019aa0f0-1234-7abc-8def-0123456789ab",
                     *       "url": "https://soundline.example.com/services/019aa0f0-1234-7abc-8def-0123456789ab/runs/019aa0f4-8c3d-7e4f-9a5b-6c7d8e9f0a1b",
                     *       "state": "done",
                     *       "cause": "request",
                     *       "requestedAt": "2026-11-20T12:30:00.000Z",
                     *       "startedAt": "2026-11-20T12:30:00.000Z",
                     *       "finishedAt": "2026-11-20T12:30:00.412Z",
                     *       "outcome": "failure",
                     *       "summary": "GET https://shop.example/cart: status 500, expected 200",
                     *       "note": "deploy 42",
                     *       "variables": {
                     *         "s.base": "https://preview-42.shop.example"
                     *       },
                     *       "scriptVersion": 17,
                     *       "results": [
                     *         {
                     *           "id": "019aa0f4-7f2b-7c3d-8e4f-6a5b4c3d2e1f",
                     *           "status": "failure",
                     *           "agentSlug": "frankfurt",
                     *           "startedAt": "2026-11-20T12:30:00.000Z",
                     *           "runDurationMs": 412,
                     *           "totalResponseMs": 398,
                     *           "summary": "GET https://shop.example/cart: status 500, expected 200",
                     *           "url": "https://soundline.example.com/services/019aa0f0-1234-7abc-8def-0123456789ab/results/019aa0f4-7f2b-7c3d-8e4f-6a5b4c3d2e1f"
                     *         }
                     *       ],
                     *       "skippedAgents": [
                     *         {
                     *           "agentSlug": "frankfurt",
                     *           "reason": "the agent frankfurt was not connected"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Run"];
                };
            };
            /**
             * @description - `field_invalid`: A parameter or a checked value is not accepted. Details: field, reason, max, errors, unknown.
             *     - `invalid_uuid`: An id is not a UUID. Details: field, errors.
             *     - `invalid_path`: The path is not in its canonical form.
             */
            400: components["responses"]["BadRequest"];
            /**
             * @description - `missing_auth_header`: The request has no Authorization header.
             *     - `invalid_token`: The Authorization header has no bearer token.
             *     - `invalid_api_key`: No key matches the token.
             *     - `api_key_revoked`: The key was revoked, which is permanent.
             *     - `api_key_expired`: The key has expired.
             *     - `api_key_owner_inactive`: The member's membership or account is disabled or was removed.
             */
            401: components["responses"]["Unauthorized"];
            /** @description - `totp_enrollment_required`: The organization or a group requires two-factor authentication, and the member has not enrolled. */
            403: components["responses"]["Forbidden"];
            /** @description - `not_found`: The resource does not exist, or the member may not see or change it. Details: field. */
            404: components["responses"]["NotFound"];
            /**
             * @description - `rate_limited`: The key is over its rate limit; wait for Retry-After seconds.
             *     - `too_many_unknown_keys`: The address sent too many requests with unknown or no tokens; wait for Retry-After seconds.
             */
            429: components["responses"]["TooManyRequests"];
            /** @description - `internal_error`: The server failed. */
            500: components["responses"]["InternalServerError"];
            /** @description - `service_unavailable`: The database does not respond or its disk is full, or too many requests wait for it; wait for Retry-After seconds. A write may have taken effect. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    cancelRun: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the service.
                 * @example 019aa0f0-1234-7abc-8def-0123456789ab
                 */
                id: string;
                /**
                 * @description The id of the run.
                 * @example 019aa0f4-8c3d-7e4f-9a5b-6c7d8e9f0a1b
                 */
                runId: string;
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
                    /**
                     * @example {
                     *       "ok": true
                     *     }
                     */
                    "application/json": components["schemas"]["Ok"];
                };
            };
            /**
             * @description - `invalid_uuid`: An id is not a UUID. Details: field, errors.
             *     - `invalid_request_body`: The body is not a JSON object, or one of its fields is not accepted. Details: field, reason, errors.
             *     - `invalid_path`: The path is not in its canonical form.
             */
            400: components["responses"]["BadRequest"];
            /**
             * @description - `missing_auth_header`: The request has no Authorization header.
             *     - `invalid_token`: The Authorization header has no bearer token.
             *     - `invalid_api_key`: No key matches the token.
             *     - `api_key_revoked`: The key was revoked, which is permanent.
             *     - `api_key_expired`: The key has expired.
             *     - `api_key_owner_inactive`: The member's membership or account is disabled or was removed.
             */
            401: components["responses"]["Unauthorized"];
            /**
             * @description - `api_key_read_only`: A read key sent a method other than GET or HEAD.
             *     - `totp_enrollment_required`: The organization or a group requires two-factor authentication, and the member has not enrolled.
             */
            403: components["responses"]["Forbidden"];
            /** @description - `not_found`: The resource does not exist, or the member may not see or change it. Details: field. */
            404: components["responses"]["NotFound"];
            /** @description - `run_started`: All agents of the run have started or ended. */
            409: components["responses"]["Conflict"];
            /** @description - `request_body_too_large`: The request body is over the limit. Details: maxBytes. */
            413: components["responses"]["ContentTooLarge"];
            /**
             * @description - `rate_limited`: The key is over its rate limit; wait for Retry-After seconds.
             *     - `too_many_unknown_keys`: The address sent too many requests with unknown or no tokens; wait for Retry-After seconds.
             */
            429: components["responses"]["TooManyRequests"];
            /** @description - `internal_error`: The server failed. */
            500: components["responses"]["InternalServerError"];
            /** @description - `service_unavailable`: The database does not respond or its disk is full, or too many requests wait for it; wait for Retry-After seconds. A write may have taken effect. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    saveServiceScript: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the service.
                 * @example 019aa0f0-1234-7abc-8def-0123456789ab
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "script": "get(\"https://shop.example/health\").expect(status: 200)",
                 *       "version": 1
                 *     }
                 */
                "application/json": components["schemas"]["SaveServiceScriptRequest"];
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
                    /**
                     * @example {
                     *       "id": "019aa0f0-1234-7abc-8def-0123456789ab",
                     *       "projectId": "019aa0f0-2345-7abc-8def-0123456789ab",
                     *       "name": "Checkout",
                     *       "label": "production",
                     *       "script": "get(\"https://shop.example/health\").expect(status: 200)",
                     *       "schedule": "*\/5 * * * *",
                     *       "probeMode": "consecutive",
                     *       "queuePolicy": "skip",
                     *       "serviceWindow": null,
                     *       "saveResponseBodies": true,
                     *       "sendTraceparent": false,
                     *       "isActive": true,
                     *       "state": "passing",
                     *       "stateSince": "2026-11-20T12:30:00.000Z",
                     *       "lastStatus": "success",
                     *       "lastStatusSince": "2026-11-20T12:30:00.000Z",
                     *       "version": 2,
                     *       "createdAt": "2026-11-01T08:00:00.000Z",
                     *       "unverifiedTargets": [
                     *         "shop.example"
                     *       ],
                     *       "metrics": {
                     *         "counters": {
                     *           "probesTotal": 1440,
                     *           "probesSuccess": 1432,
                     *           "probesFailure": 6,
                     *           "probesTimeout": 2
                     *         },
                     *         "state": {
                     *           "lastStatus": "success",
                     *           "lastConsecutive": 122,
                     *           "lastResponseMs": 184,
                     *           "lastRunAt": 1795177800
                     *         },
                     *         "percentiles": {
                     *           "p50": 176,
                     *           "p95": 312,
                     *           "p99": 540
                     *         },
                     *         "serviceCount": 3,
                     *         "projectCount": 1
                     *       },
                     *       "lastFailure": {
                     *         "resultId": "019aa0f4-7f2b-7c3d-8e4f-6a5b4c3d2e1f",
                     *         "startedAt": "2026-11-20T12:30:00.000Z",
                     *         "status": "failure",
                     *         "error": null,
                     *         "summary": "GET https://shop.example/cart: status 500, expected 200 (2 more failed)",
                     *         "assertions": [
                     *           {
                     *             "stepNum": 2,
                     *             "method": "expect",
                     *             "scope": "status",
                     *             "op": "eq",
                     *             "expected": 200,
                     *             "actual": 500,
                     *             "expression": null,
                     *             "actualLhs": null,
                     *             "actualRhs": null
                     *           }
                     *         ],
                     *         "assertionsTotal": 3
                     *       },
                     *       "certificates": [
                     *         {
                     *           "host": "shop.example",
                     *           "notAfter": "2026-12-17T09:00:00.000Z",
                     *           "daysLeft": 27,
                     *           "subject": "shop.example",
                     *           "issuer": "R11",
                     *           "lastSeenAt": "2026-11-20T12:00:00.000Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Service"];
                };
            };
            /**
             * @description - `field_invalid`: A parameter or a checked value is not accepted. Details: field, reason, max, errors, unknown.
             *     - `invalid_uuid`: An id is not a UUID. Details: field, errors.
             *     - `invalid_request_body`: The body is not a JSON object, or one of its fields is not accepted. Details: field, reason, errors.
             *     - `invalid_path`: The path is not in its canonical form.
             *     - `blocked_probe_target`: The script targets a URL that probes must not request: one with a private, loopback or reserved address, an address of the server itself, an internal name, a scheme other than http and https, a port of another protocol (the bad ports of the Fetch standard), or a user name or password. `details.reason` says which. Details: field, reason, callIndex.
             *     - `unverified_domain_call_limit`: The script makes more than three calls while it targets an unverified domain. Details: field, reason, max, hosts.
             *     - `unverified_domain_includes`: The script uses an includes check while it targets an unverified domain. Details: field, reason, hosts.
             *     - `unverified_domain_interval`: The schedule runs more often than every five minutes while the script targets an unverified domain. Details: field, reason, hosts.
             */
            400: components["responses"]["BadRequest"];
            /**
             * @description - `missing_auth_header`: The request has no Authorization header.
             *     - `invalid_token`: The Authorization header has no bearer token.
             *     - `invalid_api_key`: No key matches the token.
             *     - `api_key_revoked`: The key was revoked, which is permanent.
             *     - `api_key_expired`: The key has expired.
             *     - `api_key_owner_inactive`: The member's membership or account is disabled or was removed.
             */
            401: components["responses"]["Unauthorized"];
            /**
             * @description - `api_key_read_only`: A read key sent a method other than GET or HEAD.
             *     - `totp_enrollment_required`: The organization or a group requires two-factor authentication, and the member has not enrolled.
             */
            403: components["responses"]["Forbidden"];
            /** @description - `not_found`: The resource does not exist, or the member may not see or change it. Details: field. */
            404: components["responses"]["NotFound"];
            /** @description - `version_conflict`: The version is not the current one. Details: field, version. */
            409: components["responses"]["Conflict"];
            /** @description - `request_body_too_large`: The request body is over the limit. Details: maxBytes. */
            413: components["responses"]["ContentTooLarge"];
            /**
             * @description - `rate_limited`: The key is over its rate limit; wait for Retry-After seconds.
             *     - `too_many_unknown_keys`: The address sent too many requests with unknown or no tokens; wait for Retry-After seconds.
             */
            429: components["responses"]["TooManyRequests"];
            /** @description - `internal_error`: The server failed. */
            500: components["responses"]["InternalServerError"];
            /** @description - `service_unavailable`: The database does not respond or its disk is full, or too many requests wait for it; wait for Retry-After seconds. A write may have taken effect. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getServiceSnapshot: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the service.
                 * @example 019aa0f0-1234-7abc-8def-0123456789ab
                 */
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
                    /**
                     * @example {
                     *       "service": {
                     *         "id": "019aa0f0-1234-7abc-8def-0123456789ab",
                     *         "projectId": "019aa0f0-2345-7abc-8def-0123456789ab",
                     *         "name": "Checkout",
                     *         "label": "production",
                     *         "script": "get(\"https://shop.example/health\").expect(status: 200)",
                     *         "schedule": "*\/5 * * * *",
                     *         "probeMode": "consecutive",
                     *         "queuePolicy": "skip",
                     *         "serviceWindow": null,
                     *         "saveResponseBodies": true,
                     *         "sendTraceparent": false,
                     *         "isActive": true,
                     *         "state": "passing",
                     *         "stateSince": "2026-11-20T12:30:00.000Z",
                     *         "lastStatus": "success",
                     *         "lastStatusSince": "2026-11-20T12:30:00.000Z",
                     *         "version": 2,
                     *         "createdAt": "2026-11-01T08:00:00.000Z",
                     *         "unverifiedTargets": [
                     *           "shop.example"
                     *         ],
                     *         "metrics": {
                     *           "counters": {
                     *             "probesTotal": 1440,
                     *             "probesSuccess": 1432,
                     *             "probesFailure": 6,
                     *             "probesTimeout": 2
                     *           },
                     *           "state": {
                     *             "lastStatus": "success",
                     *             "lastConsecutive": 122,
                     *             "lastResponseMs": 184,
                     *             "lastRunAt": 1795177800
                     *           },
                     *           "percentiles": {
                     *             "p50": 176,
                     *             "p95": 312,
                     *             "p99": 540
                     *           },
                     *           "serviceCount": 3,
                     *           "projectCount": 1
                     *         },
                     *         "lastFailure": {
                     *           "resultId": "019aa0f4-7f2b-7c3d-8e4f-6a5b4c3d2e1f",
                     *           "startedAt": "2026-11-20T12:30:00.000Z",
                     *           "status": "failure",
                     *           "error": null,
                     *           "summary": "GET https://shop.example/cart: status 500, expected 200 (2 more failed)",
                     *           "assertions": [
                     *             {
                     *               "stepNum": 2,
                     *               "method": "expect",
                     *               "scope": "status",
                     *               "op": "eq",
                     *               "expected": 200,
                     *               "actual": 500,
                     *               "expression": null,
                     *               "actualLhs": null,
                     *               "actualRhs": null
                     *             }
                     *           ],
                     *           "assertionsTotal": 3
                     *         },
                     *         "certificates": [
                     *           {
                     *             "host": "shop.example",
                     *             "notAfter": "2026-12-17T09:00:00.000Z",
                     *             "daysLeft": 27,
                     *             "subject": "shop.example",
                     *             "issuer": "R11",
                     *             "lastSeenAt": "2026-11-20T12:00:00.000Z"
                     *           }
                     *         ]
                     *       },
                     *       "recentProbes": [
                     *         {
                     *           "status": "success",
                     *           "avgResponseMs": 92,
                     *           "callCount": 2,
                     *           "failedCalls": 0,
                     *           "timestamp": 1795177800
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ServiceSnapshot"];
                };
            };
            /**
             * @description - `invalid_uuid`: An id is not a UUID. Details: field, errors.
             *     - `invalid_path`: The path is not in its canonical form.
             */
            400: components["responses"]["BadRequest"];
            /**
             * @description - `missing_auth_header`: The request has no Authorization header.
             *     - `invalid_token`: The Authorization header has no bearer token.
             *     - `invalid_api_key`: No key matches the token.
             *     - `api_key_revoked`: The key was revoked, which is permanent.
             *     - `api_key_expired`: The key has expired.
             *     - `api_key_owner_inactive`: The member's membership or account is disabled or was removed.
             */
            401: components["responses"]["Unauthorized"];
            /** @description - `totp_enrollment_required`: The organization or a group requires two-factor authentication, and the member has not enrolled. */
            403: components["responses"]["Forbidden"];
            /** @description - `not_found`: The resource does not exist, or the member may not see or change it. Details: field. */
            404: components["responses"]["NotFound"];
            /**
             * @description - `rate_limited`: The key is over its rate limit; wait for Retry-After seconds.
             *     - `too_many_unknown_keys`: The address sent too many requests with unknown or no tokens; wait for Retry-After seconds.
             */
            429: components["responses"]["TooManyRequests"];
            /** @description - `internal_error`: The server failed. */
            500: components["responses"]["InternalServerError"];
            /** @description - `service_unavailable`: The database does not respond or its disk is full, or too many requests wait for it; wait for Retry-After seconds. A write may have taken effect. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    toggleService: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the service.
                 * @example 019aa0f0-1234-7abc-8def-0123456789ab
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "isActive": true
                 *     }
                 */
                "application/json": components["schemas"]["ToggleServiceRequest"];
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
                    /**
                     * @example {
                     *       "id": "019aa0f0-1234-7abc-8def-0123456789ab",
                     *       "projectId": "019aa0f0-2345-7abc-8def-0123456789ab",
                     *       "name": "Checkout",
                     *       "label": "production",
                     *       "script": "get(\"https://shop.example/health\").expect(status: 200)",
                     *       "schedule": "*\/5 * * * *",
                     *       "probeMode": "consecutive",
                     *       "queuePolicy": "skip",
                     *       "serviceWindow": null,
                     *       "saveResponseBodies": true,
                     *       "sendTraceparent": false,
                     *       "isActive": true,
                     *       "state": "passing",
                     *       "stateSince": "2026-11-20T12:30:00.000Z",
                     *       "lastStatus": "success",
                     *       "lastStatusSince": "2026-11-20T12:30:00.000Z",
                     *       "version": 2,
                     *       "createdAt": "2026-11-01T08:00:00.000Z",
                     *       "unverifiedTargets": [
                     *         "shop.example"
                     *       ],
                     *       "metrics": {
                     *         "counters": {
                     *           "probesTotal": 1440,
                     *           "probesSuccess": 1432,
                     *           "probesFailure": 6,
                     *           "probesTimeout": 2
                     *         },
                     *         "state": {
                     *           "lastStatus": "success",
                     *           "lastConsecutive": 122,
                     *           "lastResponseMs": 184,
                     *           "lastRunAt": 1795177800
                     *         },
                     *         "percentiles": {
                     *           "p50": 176,
                     *           "p95": 312,
                     *           "p99": 540
                     *         },
                     *         "serviceCount": 3,
                     *         "projectCount": 1
                     *       },
                     *       "lastFailure": {
                     *         "resultId": "019aa0f4-7f2b-7c3d-8e4f-6a5b4c3d2e1f",
                     *         "startedAt": "2026-11-20T12:30:00.000Z",
                     *         "status": "failure",
                     *         "error": null,
                     *         "summary": "GET https://shop.example/cart: status 500, expected 200 (2 more failed)",
                     *         "assertions": [
                     *           {
                     *             "stepNum": 2,
                     *             "method": "expect",
                     *             "scope": "status",
                     *             "op": "eq",
                     *             "expected": 200,
                     *             "actual": 500,
                     *             "expression": null,
                     *             "actualLhs": null,
                     *             "actualRhs": null
                     *           }
                     *         ],
                     *         "assertionsTotal": 3
                     *       },
                     *       "certificates": [
                     *         {
                     *           "host": "shop.example",
                     *           "notAfter": "2026-12-17T09:00:00.000Z",
                     *           "daysLeft": 27,
                     *           "subject": "shop.example",
                     *           "issuer": "R11",
                     *           "lastSeenAt": "2026-11-20T12:00:00.000Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Service"];
                };
            };
            /**
             * @description - `field_invalid`: A parameter or a checked value is not accepted. Details: field, reason, max, errors, unknown.
             *     - `field_required`: A required parameter or checked value is missing. Details: field, errors.
             *     - `invalid_uuid`: An id is not a UUID. Details: field, errors.
             *     - `invalid_request_body`: The body is not a JSON object, or one of its fields is not accepted. Details: field, reason, errors.
             *     - `invalid_path`: The path is not in its canonical form.
             *     - `blocked_probe_target`: The script targets a URL that probes must not request: one with a private, loopback or reserved address, an address of the server itself, an internal name, a scheme other than http and https, a port of another protocol (the bad ports of the Fetch standard), or a user name or password. `details.reason` says which. Details: field, reason, callIndex.
             *     - `unverified_domain_call_limit`: The script makes more than three calls while it targets an unverified domain. Details: field, reason, max, hosts.
             *     - `unverified_domain_includes`: The script uses an includes check while it targets an unverified domain. Details: field, reason, hosts.
             *     - `unverified_domain_interval`: The schedule runs more often than every five minutes while the script targets an unverified domain. Details: field, reason, hosts.
             */
            400: components["responses"]["BadRequest"];
            /**
             * @description - `missing_auth_header`: The request has no Authorization header.
             *     - `invalid_token`: The Authorization header has no bearer token.
             *     - `invalid_api_key`: No key matches the token.
             *     - `api_key_revoked`: The key was revoked, which is permanent.
             *     - `api_key_expired`: The key has expired.
             *     - `api_key_owner_inactive`: The member's membership or account is disabled or was removed.
             */
            401: components["responses"]["Unauthorized"];
            /**
             * @description - `api_key_read_only`: A read key sent a method other than GET or HEAD.
             *     - `totp_enrollment_required`: The organization or a group requires two-factor authentication, and the member has not enrolled.
             */
            403: components["responses"]["Forbidden"];
            /** @description - `not_found`: The resource does not exist, or the member may not see or change it. Details: field. */
            404: components["responses"]["NotFound"];
            /** @description - `request_body_too_large`: The request body is over the limit. Details: maxBytes. */
            413: components["responses"]["ContentTooLarge"];
            /**
             * @description - `rate_limited`: The key is over its rate limit; wait for Retry-After seconds.
             *     - `too_many_unknown_keys`: The address sent too many requests with unknown or no tokens; wait for Retry-After seconds.
             */
            429: components["responses"]["TooManyRequests"];
            /** @description - `internal_error`: The server failed. */
            500: components["responses"]["InternalServerError"];
            /** @description - `service_unavailable`: The database does not respond or its disk is full, or too many requests wait for it; wait for Retry-After seconds. A write may have taken effect. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listServiceVariables: {
        parameters: {
            query?: {
                /**
                 * @description The page to read, from 1. `page` times `pageSize` is at most 100,000.
                 * @example 1
                 */
                page?: number;
                /**
                 * @description How many entries a page has at most.
                 * @example 50
                 */
                pageSize?: number;
            };
            header?: never;
            path: {
                /**
                 * @description The id of the service.
                 * @example 019aa0f0-1234-7abc-8def-0123456789ab
                 */
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
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "id": "019aa0f1-4a5b-7c6d-8e7f-0a1b2c3d4e5f",
                     *           "key": "base_url",
                     *           "value": "••••••",
                     *           "type": "variable",
                     *           "masked": true,
                     *           "systemType": null,
                     *           "isScriptWritten": false,
                     *           "allowedHosts": [],
                     *           "createdAt": "2026-11-01T08:00:00.000Z",
                     *           "updatedAt": "2026-11-20T12:30:00.000Z"
                     *         }
                     *       ],
                     *       "total": 1,
                     *       "page": 1,
                     *       "pageSize": 50
                     *     }
                     */
                    "application/json": components["schemas"]["VariablePage"];
                };
            };
            /**
             * @description - `field_invalid`: A parameter or a checked value is not accepted. Details: field, reason, max, errors, unknown.
             *     - `invalid_uuid`: An id is not a UUID. Details: field, errors.
             *     - `invalid_path`: The path is not in its canonical form.
             */
            400: components["responses"]["BadRequest"];
            /**
             * @description - `missing_auth_header`: The request has no Authorization header.
             *     - `invalid_token`: The Authorization header has no bearer token.
             *     - `invalid_api_key`: No key matches the token.
             *     - `api_key_revoked`: The key was revoked, which is permanent.
             *     - `api_key_expired`: The key has expired.
             *     - `api_key_owner_inactive`: The member's membership or account is disabled or was removed.
             */
            401: components["responses"]["Unauthorized"];
            /** @description - `totp_enrollment_required`: The organization or a group requires two-factor authentication, and the member has not enrolled. */
            403: components["responses"]["Forbidden"];
            /** @description - `not_found`: The resource does not exist, or the member may not see or change it. Details: field. */
            404: components["responses"]["NotFound"];
            /**
             * @description - `rate_limited`: The key is over its rate limit; wait for Retry-After seconds.
             *     - `too_many_unknown_keys`: The address sent too many requests with unknown or no tokens; wait for Retry-After seconds.
             */
            429: components["responses"]["TooManyRequests"];
            /** @description - `internal_error`: The server failed. */
            500: components["responses"]["InternalServerError"];
            /** @description - `service_unavailable`: The database does not respond or its disk is full, or too many requests wait for it; wait for Retry-After seconds. A write may have taken effect. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createServiceVariable: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes the request safe to repeat: for 24 hours, a request of this API key with the same value and the same content gets the response of the first successful one again and changes nothing, if its member still has permission. Errors are not stored. Use a new value, such as a UUID, for each operation.
                 * @example 0b8a2f4e-6c1d-4f5a-9f3e-2d7c5b1a9e80
                 */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description The id of the service.
                 * @example 019aa0f0-1234-7abc-8def-0123456789ab
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "key": "base_url",
                 *       "value": "https://shop.example",
                 *       "type": "secret",
                 *       "allowedHosts": [
                 *         "api.example.com",
                 *         "*.example.net:8443"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["CreateServiceVariableRequest"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "019aa0f1-4a5b-7c6d-8e7f-0a1b2c3d4e5f",
                     *       "key": "base_url",
                     *       "value": "••••••",
                     *       "type": "variable",
                     *       "masked": true,
                     *       "systemType": null,
                     *       "isScriptWritten": false,
                     *       "allowedHosts": [],
                     *       "createdAt": "2026-11-01T08:00:00.000Z",
                     *       "updatedAt": "2026-11-20T12:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Variable"];
                };
            };
            /**
             * @description - `field_invalid`: A parameter or a checked value is not accepted. Details: field, reason, max, errors, unknown.
             *     - `invalid_uuid`: An id is not a UUID. Details: field, errors.
             *     - `invalid_request_body`: The body is not a JSON object, or one of its fields is not accepted. Details: field, reason, errors.
             *     - `invalid_path`: The path is not in its canonical form.
             *     - `variable_limit_reached`: The scope has reached its limit of variables. Details: max.
             *     - `reserved_key`: A computed variable of the scope has this name. Details: key.
             */
            400: components["responses"]["BadRequest"];
            /**
             * @description - `missing_auth_header`: The request has no Authorization header.
             *     - `invalid_token`: The Authorization header has no bearer token.
             *     - `invalid_api_key`: No key matches the token.
             *     - `api_key_revoked`: The key was revoked, which is permanent.
             *     - `api_key_expired`: The key has expired.
             *     - `api_key_owner_inactive`: The member's membership or account is disabled or was removed.
             */
            401: components["responses"]["Unauthorized"];
            /**
             * @description - `api_key_read_only`: A read key sent a method other than GET or HEAD.
             *     - `totp_enrollment_required`: The organization or a group requires two-factor authentication, and the member has not enrolled.
             */
            403: components["responses"]["Forbidden"];
            /** @description - `not_found`: The resource does not exist, or the member may not see or change it. Details: field. */
            404: components["responses"]["NotFound"];
            /**
             * @description - `already_exists`: A resource with this name or key already exists. Details: field, id.
             *     - `idempotency_mismatch`: The `Idempotency-Key` was used for another request within 24 hours.
             *     - `idempotency_in_progress`: The first request with this `Idempotency-Key` is still running; wait for Retry-After seconds.
             */
            409: components["responses"]["Conflict"];
            /** @description - `request_body_too_large`: The request body is over the limit. Details: maxBytes. */
            413: components["responses"]["ContentTooLarge"];
            /**
             * @description - `rate_limited`: The key is over its rate limit; wait for Retry-After seconds.
             *     - `too_many_unknown_keys`: The address sent too many requests with unknown or no tokens; wait for Retry-After seconds.
             */
            429: components["responses"]["TooManyRequests"];
            /** @description - `internal_error`: The server failed. */
            500: components["responses"]["InternalServerError"];
            /** @description - `service_unavailable`: The database does not respond or its disk is full, or too many requests wait for it; wait for Retry-After seconds. A write may have taken effect. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteServiceVariable: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the service.
                 * @example 019aa0f0-1234-7abc-8def-0123456789ab
                 */
                id: string;
                /**
                 * @description The id of the variable.
                 * @example 019aa0f1-4a5b-7c6d-8e7f-0a1b2c3d4e5f
                 */
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
                    /**
                     * @example {
                     *       "ok": true
                     *     }
                     */
                    "application/json": components["schemas"]["Ok"];
                };
            };
            /**
             * @description - `invalid_uuid`: An id is not a UUID. Details: field, errors.
             *     - `invalid_request_body`: The body is not a JSON object, or one of its fields is not accepted. Details: field, reason, errors.
             *     - `invalid_path`: The path is not in its canonical form.
             *     - `system_variable`: Soundline creates this variable for every service; it cannot be deleted. Details: key.
             */
            400: components["responses"]["BadRequest"];
            /**
             * @description - `missing_auth_header`: The request has no Authorization header.
             *     - `invalid_token`: The Authorization header has no bearer token.
             *     - `invalid_api_key`: No key matches the token.
             *     - `api_key_revoked`: The key was revoked, which is permanent.
             *     - `api_key_expired`: The key has expired.
             *     - `api_key_owner_inactive`: The member's membership or account is disabled or was removed.
             */
            401: components["responses"]["Unauthorized"];
            /**
             * @description - `api_key_read_only`: A read key sent a method other than GET or HEAD.
             *     - `totp_enrollment_required`: The organization or a group requires two-factor authentication, and the member has not enrolled.
             */
            403: components["responses"]["Forbidden"];
            /** @description - `not_found`: The resource does not exist, or the member may not see or change it. Details: field. */
            404: components["responses"]["NotFound"];
            /** @description - `request_body_too_large`: The request body is over the limit. Details: maxBytes. */
            413: components["responses"]["ContentTooLarge"];
            /**
             * @description - `rate_limited`: The key is over its rate limit; wait for Retry-After seconds.
             *     - `too_many_unknown_keys`: The address sent too many requests with unknown or no tokens; wait for Retry-After seconds.
             */
            429: components["responses"]["TooManyRequests"];
            /** @description - `internal_error`: The server failed. */
            500: components["responses"]["InternalServerError"];
            /** @description - `service_unavailable`: The database does not respond or its disk is full, or too many requests wait for it; wait for Retry-After seconds. A write may have taken effect. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    updateServiceVariable: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the service.
                 * @example 019aa0f0-1234-7abc-8def-0123456789ab
                 */
                id: string;
                /**
                 * @description The id of the variable.
                 * @example 019aa0f1-4a5b-7c6d-8e7f-0a1b2c3d4e5f
                 */
                varId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "value": "https://shop.example",
                 *       "allowedHosts": [
                 *         "api.example.com",
                 *         "*.example.net:8443"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["UpdateServiceVariableRequest"];
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
                    /**
                     * @example {
                     *       "id": "019aa0f1-4a5b-7c6d-8e7f-0a1b2c3d4e5f",
                     *       "key": "base_url",
                     *       "value": "••••••",
                     *       "type": "variable",
                     *       "masked": true,
                     *       "systemType": null,
                     *       "isScriptWritten": false,
                     *       "allowedHosts": [],
                     *       "createdAt": "2026-11-01T08:00:00.000Z",
                     *       "updatedAt": "2026-11-20T12:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Variable"];
                };
            };
            /**
             * @description - `field_invalid`: A parameter or a checked value is not accepted. Details: field, reason, max, errors, unknown.
             *     - `invalid_uuid`: An id is not a UUID. Details: field, errors.
             *     - `invalid_request_body`: The body is not a JSON object, or one of its fields is not accepted. Details: field, reason, errors.
             *     - `invalid_path`: The path is not in its canonical form.
             *     - `readonly_variable`: Only scripts can write this variable. Details: key.
             */
            400: components["responses"]["BadRequest"];
            /**
             * @description - `missing_auth_header`: The request has no Authorization header.
             *     - `invalid_token`: The Authorization header has no bearer token.
             *     - `invalid_api_key`: No key matches the token.
             *     - `api_key_revoked`: The key was revoked, which is permanent.
             *     - `api_key_expired`: The key has expired.
             *     - `api_key_owner_inactive`: The member's membership or account is disabled or was removed.
             */
            401: components["responses"]["Unauthorized"];
            /**
             * @description - `api_key_read_only`: A read key sent a method other than GET or HEAD.
             *     - `totp_enrollment_required`: The organization or a group requires two-factor authentication, and the member has not enrolled.
             */
            403: components["responses"]["Forbidden"];
            /** @description - `not_found`: The resource does not exist, or the member may not see or change it. Details: field. */
            404: components["responses"]["NotFound"];
            /** @description - `request_body_too_large`: The request body is over the limit. Details: maxBytes. */
            413: components["responses"]["ContentTooLarge"];
            /**
             * @description - `rate_limited`: The key is over its rate limit; wait for Retry-After seconds.
             *     - `too_many_unknown_keys`: The address sent too many requests with unknown or no tokens; wait for Retry-After seconds.
             */
            429: components["responses"]["TooManyRequests"];
            /** @description - `internal_error`: The server failed. */
            500: components["responses"]["InternalServerError"];
            /** @description - `service_unavailable`: The database does not respond or its disk is full, or too many requests wait for it; wait for Retry-After seconds. A write may have taken effect. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getServiceVariableHierarchy: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the service.
                 * @example 019aa0f0-1234-7abc-8def-0123456789ab
                 */
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
                    /**
                     * @example {
                     *       "scopes": [
                     *         {
                     *           "scope": "service",
                     *           "prefix": "$s.",
                     *           "resourceId": "019aa0f0-1234-7abc-8def-0123456789ab",
                     *           "resourceName": "Checkout",
                     *           "editable": true,
                     *           "variables": [
                     *             {
                     *               "id": "019aa0f1-4a5b-7c6d-8e7f-0a1b2c3d4e5f",
                     *               "key": "base_url",
                     *               "value": "••••••",
                     *               "type": "variable",
                     *               "masked": true,
                     *               "systemType": null,
                     *               "isScriptWritten": false,
                     *               "allowedHosts": [],
                     *               "createdAt": "2026-11-01T08:00:00.000Z",
                     *               "updatedAt": "2026-11-20T12:30:00.000Z"
                     *             }
                     *           ],
                     *           "locked": [
                     *             {
                     *               "key": "name",
                     *               "value": "Checkout",
                     *               "description": "The name of the service."
                     *             }
                     *           ]
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["VariableHierarchy"];
                };
            };
            /**
             * @description - `invalid_uuid`: An id is not a UUID. Details: field, errors.
             *     - `invalid_path`: The path is not in its canonical form.
             */
            400: components["responses"]["BadRequest"];
            /**
             * @description - `missing_auth_header`: The request has no Authorization header.
             *     - `invalid_token`: The Authorization header has no bearer token.
             *     - `invalid_api_key`: No key matches the token.
             *     - `api_key_revoked`: The key was revoked, which is permanent.
             *     - `api_key_expired`: The key has expired.
             *     - `api_key_owner_inactive`: The member's membership or account is disabled or was removed.
             */
            401: components["responses"]["Unauthorized"];
            /** @description - `totp_enrollment_required`: The organization or a group requires two-factor authentication, and the member has not enrolled. */
            403: components["responses"]["Forbidden"];
            /** @description - `not_found`: The resource does not exist, or the member may not see or change it. Details: field. */
            404: components["responses"]["NotFound"];
            /**
             * @description - `rate_limited`: The key is over its rate limit; wait for Retry-After seconds.
             *     - `too_many_unknown_keys`: The address sent too many requests with unknown or no tokens; wait for Retry-After seconds.
             */
            429: components["responses"]["TooManyRequests"];
            /** @description - `internal_error`: The server failed. */
            500: components["responses"]["InternalServerError"];
            /** @description - `service_unavailable`: The database does not respond or its disk is full, or too many requests wait for it; wait for Retry-After seconds. A write may have taken effect. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listSilences: {
        parameters: {
            query?: {
                /**
                 * @description The page to read, from 1. `page` times `pageSize` is at most 100,000.
                 * @example 1
                 */
                page?: number;
                /**
                 * @description How many entries a page has at most.
                 * @example 50
                 */
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
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "id": "019aa0f2-5b6c-7d7e-8f80-1b2c3d4e5f60",
                     *           "orgUserId": "019aa0f4-3c1a-7d2e-9f10-5b2f0c6d7e81",
                     *           "workspaceId": null,
                     *           "projectId": "019aa0f0-2345-7abc-8def-0123456789ab",
                     *           "serviceId": null,
                     *           "channel": "email",
                     *           "config": "{\"events\":[\"service.recovered\"]}",
                     *           "quietHours": "FREQ=DAILY;BYHOUR=22;BYMINUTE=0/480/Europe/Berlin",
                     *           "resourceName": "Storefront"
                     *         }
                     *       ],
                     *       "total": 1,
                     *       "page": 1,
                     *       "pageSize": 50
                     *     }
                     */
                    "application/json": components["schemas"]["SilencePage"];
                };
            };
            /**
             * @description - `field_invalid`: A parameter or a checked value is not accepted. Details: field, reason, max, errors, unknown.
             *     - `invalid_path`: The path is not in its canonical form.
             */
            400: components["responses"]["BadRequest"];
            /**
             * @description - `missing_auth_header`: The request has no Authorization header.
             *     - `invalid_token`: The Authorization header has no bearer token.
             *     - `invalid_api_key`: No key matches the token.
             *     - `api_key_revoked`: The key was revoked, which is permanent.
             *     - `api_key_expired`: The key has expired.
             *     - `api_key_owner_inactive`: The member's membership or account is disabled or was removed.
             */
            401: components["responses"]["Unauthorized"];
            /** @description - `totp_enrollment_required`: The organization or a group requires two-factor authentication, and the member has not enrolled. */
            403: components["responses"]["Forbidden"];
            /**
             * @description - `rate_limited`: The key is over its rate limit; wait for Retry-After seconds.
             *     - `too_many_unknown_keys`: The address sent too many requests with unknown or no tokens; wait for Retry-After seconds.
             */
            429: components["responses"]["TooManyRequests"];
            /** @description - `internal_error`: The server failed. */
            500: components["responses"]["InternalServerError"];
            /** @description - `service_unavailable`: The database does not respond or its disk is full, or too many requests wait for it; wait for Retry-After seconds. A write may have taken effect. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createSilence: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes the request safe to repeat: for 24 hours, a request of this API key with the same value and the same content gets the response of the first successful one again and changes nothing, if its member still has permission. Errors are not stored. Use a new value, such as a UUID, for each operation.
                 * @example 0b8a2f4e-6c1d-4f5a-9f3e-2d7c5b1a9e80
                 */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "channel": "email",
                 *       "projectId": "019aa0f0-2345-7abc-8def-0123456789ab",
                 *       "config": "{\"events\":[\"service.recovered\"]}"
                 *     }
                 */
                "application/json": components["schemas"]["CreateSilenceRequest"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "019aa0f2-5b6c-7d7e-8f80-1b2c3d4e5f60",
                     *       "orgUserId": "019aa0f4-3c1a-7d2e-9f10-5b2f0c6d7e81",
                     *       "workspaceId": null,
                     *       "projectId": "019aa0f0-2345-7abc-8def-0123456789ab",
                     *       "serviceId": null,
                     *       "channel": "email",
                     *       "config": "{\"events\":[\"service.recovered\"]}",
                     *       "quietHours": "FREQ=DAILY;BYHOUR=22;BYMINUTE=0/480/Europe/Berlin",
                     *       "resourceName": "Storefront"
                     *     }
                     */
                    "application/json": components["schemas"]["Silence"];
                };
            };
            /**
             * @description - `field_invalid`: A parameter or a checked value is not accepted. Details: field, reason, max, errors, unknown.
             *     - `field_required`: A required parameter or checked value is missing. Details: field, errors.
             *     - `invalid_uuid`: An id is not a UUID. Details: field, errors.
             *     - `invalid_request_body`: The body is not a JSON object, or one of its fields is not accepted. Details: field, reason, errors.
             *     - `invalid_path`: The path is not in its canonical form.
             *     - `silence_limit_reached`: The member has reached the limit of silences. Details: max.
             */
            400: components["responses"]["BadRequest"];
            /**
             * @description - `missing_auth_header`: The request has no Authorization header.
             *     - `invalid_token`: The Authorization header has no bearer token.
             *     - `invalid_api_key`: No key matches the token.
             *     - `api_key_revoked`: The key was revoked, which is permanent.
             *     - `api_key_expired`: The key has expired.
             *     - `api_key_owner_inactive`: The member's membership or account is disabled or was removed.
             */
            401: components["responses"]["Unauthorized"];
            /**
             * @description - `api_key_read_only`: A read key sent a method other than GET or HEAD.
             *     - `totp_enrollment_required`: The organization or a group requires two-factor authentication, and the member has not enrolled.
             */
            403: components["responses"]["Forbidden"];
            /** @description - `not_found`: The resource does not exist, or the member may not see or change it. Details: field. */
            404: components["responses"]["NotFound"];
            /**
             * @description - `idempotency_mismatch`: The `Idempotency-Key` was used for another request within 24 hours.
             *     - `idempotency_in_progress`: The first request with this `Idempotency-Key` is still running; wait for Retry-After seconds.
             */
            409: components["responses"]["Conflict"];
            /** @description - `request_body_too_large`: The request body is over the limit. Details: maxBytes. */
            413: components["responses"]["ContentTooLarge"];
            /**
             * @description - `rate_limited`: The key is over its rate limit; wait for Retry-After seconds.
             *     - `too_many_unknown_keys`: The address sent too many requests with unknown or no tokens; wait for Retry-After seconds.
             */
            429: components["responses"]["TooManyRequests"];
            /** @description - `internal_error`: The server failed. */
            500: components["responses"]["InternalServerError"];
            /** @description - `service_unavailable`: The database does not respond or its disk is full, or too many requests wait for it; wait for Retry-After seconds. A write may have taken effect. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getSilence: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the silence.
                 * @example 019aa0f2-5b6c-7d7e-8f80-1b2c3d4e5f60
                 */
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
                    /**
                     * @example {
                     *       "id": "019aa0f2-5b6c-7d7e-8f80-1b2c3d4e5f60",
                     *       "orgUserId": "019aa0f4-3c1a-7d2e-9f10-5b2f0c6d7e81",
                     *       "workspaceId": null,
                     *       "projectId": "019aa0f0-2345-7abc-8def-0123456789ab",
                     *       "serviceId": null,
                     *       "channel": "email",
                     *       "config": "{\"events\":[\"service.recovered\"]}",
                     *       "quietHours": "FREQ=DAILY;BYHOUR=22;BYMINUTE=0/480/Europe/Berlin",
                     *       "resourceName": "Storefront"
                     *     }
                     */
                    "application/json": components["schemas"]["Silence"];
                };
            };
            /**
             * @description - `invalid_uuid`: An id is not a UUID. Details: field, errors.
             *     - `invalid_path`: The path is not in its canonical form.
             */
            400: components["responses"]["BadRequest"];
            /**
             * @description - `missing_auth_header`: The request has no Authorization header.
             *     - `invalid_token`: The Authorization header has no bearer token.
             *     - `invalid_api_key`: No key matches the token.
             *     - `api_key_revoked`: The key was revoked, which is permanent.
             *     - `api_key_expired`: The key has expired.
             *     - `api_key_owner_inactive`: The member's membership or account is disabled or was removed.
             */
            401: components["responses"]["Unauthorized"];
            /** @description - `totp_enrollment_required`: The organization or a group requires two-factor authentication, and the member has not enrolled. */
            403: components["responses"]["Forbidden"];
            /** @description - `not_found`: The resource does not exist, or the member may not see or change it. Details: field. */
            404: components["responses"]["NotFound"];
            /**
             * @description - `rate_limited`: The key is over its rate limit; wait for Retry-After seconds.
             *     - `too_many_unknown_keys`: The address sent too many requests with unknown or no tokens; wait for Retry-After seconds.
             */
            429: components["responses"]["TooManyRequests"];
            /** @description - `internal_error`: The server failed. */
            500: components["responses"]["InternalServerError"];
            /** @description - `service_unavailable`: The database does not respond or its disk is full, or too many requests wait for it; wait for Retry-After seconds. A write may have taken effect. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteSilence: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the silence.
                 * @example 019aa0f2-5b6c-7d7e-8f80-1b2c3d4e5f60
                 */
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
                    /**
                     * @example {
                     *       "ok": true
                     *     }
                     */
                    "application/json": components["schemas"]["Ok"];
                };
            };
            /**
             * @description - `invalid_uuid`: An id is not a UUID. Details: field, errors.
             *     - `invalid_request_body`: The body is not a JSON object, or one of its fields is not accepted. Details: field, reason, errors.
             *     - `invalid_path`: The path is not in its canonical form.
             */
            400: components["responses"]["BadRequest"];
            /**
             * @description - `missing_auth_header`: The request has no Authorization header.
             *     - `invalid_token`: The Authorization header has no bearer token.
             *     - `invalid_api_key`: No key matches the token.
             *     - `api_key_revoked`: The key was revoked, which is permanent.
             *     - `api_key_expired`: The key has expired.
             *     - `api_key_owner_inactive`: The member's membership or account is disabled or was removed.
             */
            401: components["responses"]["Unauthorized"];
            /**
             * @description - `api_key_read_only`: A read key sent a method other than GET or HEAD.
             *     - `totp_enrollment_required`: The organization or a group requires two-factor authentication, and the member has not enrolled.
             */
            403: components["responses"]["Forbidden"];
            /** @description - `not_found`: The resource does not exist, or the member may not see or change it. Details: field. */
            404: components["responses"]["NotFound"];
            /** @description - `request_body_too_large`: The request body is over the limit. Details: maxBytes. */
            413: components["responses"]["ContentTooLarge"];
            /**
             * @description - `rate_limited`: The key is over its rate limit; wait for Retry-After seconds.
             *     - `too_many_unknown_keys`: The address sent too many requests with unknown or no tokens; wait for Retry-After seconds.
             */
            429: components["responses"]["TooManyRequests"];
            /** @description - `internal_error`: The server failed. */
            500: components["responses"]["InternalServerError"];
            /** @description - `service_unavailable`: The database does not respond or its disk is full, or too many requests wait for it; wait for Retry-After seconds. A write may have taken effect. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    updateSilence: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the silence.
                 * @example 019aa0f2-5b6c-7d7e-8f80-1b2c3d4e5f60
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "channel": "email",
                 *       "config": "{\"events\":[\"service.recovered\"]}",
                 *       "quietHours": "FREQ=DAILY;BYHOUR=22;BYMINUTE=0/480/Europe/Berlin"
                 *     }
                 */
                "application/json": components["schemas"]["UpdateSilenceRequest"];
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
                    /**
                     * @example {
                     *       "id": "019aa0f2-5b6c-7d7e-8f80-1b2c3d4e5f60",
                     *       "orgUserId": "019aa0f4-3c1a-7d2e-9f10-5b2f0c6d7e81",
                     *       "workspaceId": null,
                     *       "projectId": "019aa0f0-2345-7abc-8def-0123456789ab",
                     *       "serviceId": null,
                     *       "channel": "email",
                     *       "config": "{\"events\":[\"service.recovered\"]}",
                     *       "quietHours": "FREQ=DAILY;BYHOUR=22;BYMINUTE=0/480/Europe/Berlin",
                     *       "resourceName": "Storefront"
                     *     }
                     */
                    "application/json": components["schemas"]["Silence"];
                };
            };
            /**
             * @description - `field_invalid`: A parameter or a checked value is not accepted. Details: field, reason, max, errors, unknown.
             *     - `field_required`: A required parameter or checked value is missing. Details: field, errors.
             *     - `invalid_uuid`: An id is not a UUID. Details: field, errors.
             *     - `invalid_request_body`: The body is not a JSON object, or one of its fields is not accepted. Details: field, reason, errors.
             *     - `invalid_path`: The path is not in its canonical form.
             */
            400: components["responses"]["BadRequest"];
            /**
             * @description - `missing_auth_header`: The request has no Authorization header.
             *     - `invalid_token`: The Authorization header has no bearer token.
             *     - `invalid_api_key`: No key matches the token.
             *     - `api_key_revoked`: The key was revoked, which is permanent.
             *     - `api_key_expired`: The key has expired.
             *     - `api_key_owner_inactive`: The member's membership or account is disabled or was removed.
             */
            401: components["responses"]["Unauthorized"];
            /**
             * @description - `api_key_read_only`: A read key sent a method other than GET or HEAD.
             *     - `totp_enrollment_required`: The organization or a group requires two-factor authentication, and the member has not enrolled.
             */
            403: components["responses"]["Forbidden"];
            /** @description - `not_found`: The resource does not exist, or the member may not see or change it. Details: field. */
            404: components["responses"]["NotFound"];
            /** @description - `request_body_too_large`: The request body is over the limit. Details: maxBytes. */
            413: components["responses"]["ContentTooLarge"];
            /**
             * @description - `rate_limited`: The key is over its rate limit; wait for Retry-After seconds.
             *     - `too_many_unknown_keys`: The address sent too many requests with unknown or no tokens; wait for Retry-After seconds.
             */
            429: components["responses"]["TooManyRequests"];
            /** @description - `internal_error`: The server failed. */
            500: components["responses"]["InternalServerError"];
            /** @description - `service_unavailable`: The database does not respond or its disk is full, or too many requests wait for it; wait for Retry-After seconds. A write may have taken effect. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listOrganizationVariables: {
        parameters: {
            query?: {
                /**
                 * @description The page to read, from 1. `page` times `pageSize` is at most 100,000.
                 * @example 1
                 */
                page?: number;
                /**
                 * @description How many entries a page has at most.
                 * @example 50
                 */
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
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "id": "019aa0f1-4a5b-7c6d-8e7f-0a1b2c3d4e5f",
                     *           "key": "base_url",
                     *           "value": "••••••",
                     *           "type": "variable",
                     *           "masked": true,
                     *           "systemType": null,
                     *           "isScriptWritten": false,
                     *           "allowedHosts": [],
                     *           "createdAt": "2026-11-01T08:00:00.000Z",
                     *           "updatedAt": "2026-11-20T12:30:00.000Z"
                     *         }
                     *       ],
                     *       "total": 1,
                     *       "page": 1,
                     *       "pageSize": 50
                     *     }
                     */
                    "application/json": components["schemas"]["VariablePage"];
                };
            };
            /**
             * @description - `field_invalid`: A parameter or a checked value is not accepted. Details: field, reason, max, errors, unknown.
             *     - `invalid_path`: The path is not in its canonical form.
             */
            400: components["responses"]["BadRequest"];
            /**
             * @description - `missing_auth_header`: The request has no Authorization header.
             *     - `invalid_token`: The Authorization header has no bearer token.
             *     - `invalid_api_key`: No key matches the token.
             *     - `api_key_revoked`: The key was revoked, which is permanent.
             *     - `api_key_expired`: The key has expired.
             *     - `api_key_owner_inactive`: The member's membership or account is disabled or was removed.
             */
            401: components["responses"]["Unauthorized"];
            /**
             * @description - `totp_enrollment_required`: The organization or a group requires two-factor authentication, and the member has not enrolled.
             *     - `insufficient_permissions`: The member lacks the organization permission that the endpoint requires.
             */
            403: components["responses"]["Forbidden"];
            /**
             * @description - `rate_limited`: The key is over its rate limit; wait for Retry-After seconds.
             *     - `too_many_unknown_keys`: The address sent too many requests with unknown or no tokens; wait for Retry-After seconds.
             */
            429: components["responses"]["TooManyRequests"];
            /** @description - `internal_error`: The server failed. */
            500: components["responses"]["InternalServerError"];
            /** @description - `service_unavailable`: The database does not respond or its disk is full, or too many requests wait for it; wait for Retry-After seconds. A write may have taken effect. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createOrganizationVariable: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes the request safe to repeat: for 24 hours, a request of this API key with the same value and the same content gets the response of the first successful one again and changes nothing, if its member still has permission. Errors are not stored. Use a new value, such as a UUID, for each operation.
                 * @example 0b8a2f4e-6c1d-4f5a-9f3e-2d7c5b1a9e80
                 */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "key": "base_url",
                 *       "value": "https://shop.example",
                 *       "type": "secret",
                 *       "allowedHosts": [
                 *         "api.example.com",
                 *         "*.example.net:8443"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["CreateOrganizationVariableRequest"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "019aa0f1-4a5b-7c6d-8e7f-0a1b2c3d4e5f",
                     *       "key": "base_url",
                     *       "value": "••••••",
                     *       "type": "variable",
                     *       "masked": true,
                     *       "systemType": null,
                     *       "isScriptWritten": false,
                     *       "allowedHosts": [],
                     *       "createdAt": "2026-11-01T08:00:00.000Z",
                     *       "updatedAt": "2026-11-20T12:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Variable"];
                };
            };
            /**
             * @description - `field_invalid`: A parameter or a checked value is not accepted. Details: field, reason, max, errors, unknown.
             *     - `invalid_request_body`: The body is not a JSON object, or one of its fields is not accepted. Details: field, reason, errors.
             *     - `invalid_path`: The path is not in its canonical form.
             *     - `variable_limit_reached`: The scope has reached its limit of variables. Details: max.
             */
            400: components["responses"]["BadRequest"];
            /**
             * @description - `missing_auth_header`: The request has no Authorization header.
             *     - `invalid_token`: The Authorization header has no bearer token.
             *     - `invalid_api_key`: No key matches the token.
             *     - `api_key_revoked`: The key was revoked, which is permanent.
             *     - `api_key_expired`: The key has expired.
             *     - `api_key_owner_inactive`: The member's membership or account is disabled or was removed.
             */
            401: components["responses"]["Unauthorized"];
            /**
             * @description - `api_key_read_only`: A read key sent a method other than GET or HEAD.
             *     - `totp_enrollment_required`: The organization or a group requires two-factor authentication, and the member has not enrolled.
             *     - `insufficient_permissions`: The member lacks the organization permission that the endpoint requires.
             */
            403: components["responses"]["Forbidden"];
            /** @description - `not_found`: The resource does not exist, or the member may not see or change it. Details: field. */
            404: components["responses"]["NotFound"];
            /**
             * @description - `already_exists`: A resource with this name or key already exists. Details: field, id.
             *     - `idempotency_mismatch`: The `Idempotency-Key` was used for another request within 24 hours.
             *     - `idempotency_in_progress`: The first request with this `Idempotency-Key` is still running; wait for Retry-After seconds.
             */
            409: components["responses"]["Conflict"];
            /** @description - `request_body_too_large`: The request body is over the limit. Details: maxBytes. */
            413: components["responses"]["ContentTooLarge"];
            /**
             * @description - `rate_limited`: The key is over its rate limit; wait for Retry-After seconds.
             *     - `too_many_unknown_keys`: The address sent too many requests with unknown or no tokens; wait for Retry-After seconds.
             */
            429: components["responses"]["TooManyRequests"];
            /** @description - `internal_error`: The server failed. */
            500: components["responses"]["InternalServerError"];
            /** @description - `service_unavailable`: The database does not respond or its disk is full, or too many requests wait for it; wait for Retry-After seconds. A write may have taken effect. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteOrganizationVariable: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the variable.
                 * @example 019aa0f1-4a5b-7c6d-8e7f-0a1b2c3d4e5f
                 */
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
                    /**
                     * @example {
                     *       "ok": true
                     *     }
                     */
                    "application/json": components["schemas"]["Ok"];
                };
            };
            /**
             * @description - `invalid_uuid`: An id is not a UUID. Details: field, errors.
             *     - `invalid_request_body`: The body is not a JSON object, or one of its fields is not accepted. Details: field, reason, errors.
             *     - `invalid_path`: The path is not in its canonical form.
             */
            400: components["responses"]["BadRequest"];
            /**
             * @description - `missing_auth_header`: The request has no Authorization header.
             *     - `invalid_token`: The Authorization header has no bearer token.
             *     - `invalid_api_key`: No key matches the token.
             *     - `api_key_revoked`: The key was revoked, which is permanent.
             *     - `api_key_expired`: The key has expired.
             *     - `api_key_owner_inactive`: The member's membership or account is disabled or was removed.
             */
            401: components["responses"]["Unauthorized"];
            /**
             * @description - `api_key_read_only`: A read key sent a method other than GET or HEAD.
             *     - `totp_enrollment_required`: The organization or a group requires two-factor authentication, and the member has not enrolled.
             *     - `insufficient_permissions`: The member lacks the organization permission that the endpoint requires.
             */
            403: components["responses"]["Forbidden"];
            /** @description - `not_found`: The resource does not exist, or the member may not see or change it. Details: field. */
            404: components["responses"]["NotFound"];
            /** @description - `request_body_too_large`: The request body is over the limit. Details: maxBytes. */
            413: components["responses"]["ContentTooLarge"];
            /**
             * @description - `rate_limited`: The key is over its rate limit; wait for Retry-After seconds.
             *     - `too_many_unknown_keys`: The address sent too many requests with unknown or no tokens; wait for Retry-After seconds.
             */
            429: components["responses"]["TooManyRequests"];
            /** @description - `internal_error`: The server failed. */
            500: components["responses"]["InternalServerError"];
            /** @description - `service_unavailable`: The database does not respond or its disk is full, or too many requests wait for it; wait for Retry-After seconds. A write may have taken effect. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    updateOrganizationVariable: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the variable.
                 * @example 019aa0f1-4a5b-7c6d-8e7f-0a1b2c3d4e5f
                 */
                varId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "value": "https://shop.example",
                 *       "allowedHosts": [
                 *         "api.example.com",
                 *         "*.example.net:8443"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["UpdateOrganizationVariableRequest"];
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
                    /**
                     * @example {
                     *       "id": "019aa0f1-4a5b-7c6d-8e7f-0a1b2c3d4e5f",
                     *       "key": "base_url",
                     *       "value": "••••••",
                     *       "type": "variable",
                     *       "masked": true,
                     *       "systemType": null,
                     *       "isScriptWritten": false,
                     *       "allowedHosts": [],
                     *       "createdAt": "2026-11-01T08:00:00.000Z",
                     *       "updatedAt": "2026-11-20T12:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Variable"];
                };
            };
            /**
             * @description - `field_invalid`: A parameter or a checked value is not accepted. Details: field, reason, max, errors, unknown.
             *     - `invalid_uuid`: An id is not a UUID. Details: field, errors.
             *     - `invalid_request_body`: The body is not a JSON object, or one of its fields is not accepted. Details: field, reason, errors.
             *     - `invalid_path`: The path is not in its canonical form.
             */
            400: components["responses"]["BadRequest"];
            /**
             * @description - `missing_auth_header`: The request has no Authorization header.
             *     - `invalid_token`: The Authorization header has no bearer token.
             *     - `invalid_api_key`: No key matches the token.
             *     - `api_key_revoked`: The key was revoked, which is permanent.
             *     - `api_key_expired`: The key has expired.
             *     - `api_key_owner_inactive`: The member's membership or account is disabled or was removed.
             */
            401: components["responses"]["Unauthorized"];
            /**
             * @description - `api_key_read_only`: A read key sent a method other than GET or HEAD.
             *     - `totp_enrollment_required`: The organization or a group requires two-factor authentication, and the member has not enrolled.
             *     - `insufficient_permissions`: The member lacks the organization permission that the endpoint requires.
             */
            403: components["responses"]["Forbidden"];
            /** @description - `not_found`: The resource does not exist, or the member may not see or change it. Details: field. */
            404: components["responses"]["NotFound"];
            /** @description - `request_body_too_large`: The request body is over the limit. Details: maxBytes. */
            413: components["responses"]["ContentTooLarge"];
            /**
             * @description - `rate_limited`: The key is over its rate limit; wait for Retry-After seconds.
             *     - `too_many_unknown_keys`: The address sent too many requests with unknown or no tokens; wait for Retry-After seconds.
             */
            429: components["responses"]["TooManyRequests"];
            /** @description - `internal_error`: The server failed. */
            500: components["responses"]["InternalServerError"];
            /** @description - `service_unavailable`: The database does not respond or its disk is full, or too many requests wait for it; wait for Retry-After seconds. A write may have taken effect. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listWebhooks: {
        parameters: {
            query?: {
                /**
                 * @description The page to read, from 1. `page` times `pageSize` is at most 100,000.
                 * @example 1
                 */
                page?: number;
                /**
                 * @description How many entries a page has at most.
                 * @example 50
                 */
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
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "id": "019aa0f1-6c7d-7e8f-8091-2c3d4e5f6071",
                     *           "name": "Pager",
                     *           "label": "on call",
                     *           "method": "POST",
                     *           "createdAt": "2026-11-01T08:00:00.000Z"
                     *         }
                     *       ],
                     *       "total": 1,
                     *       "page": 1,
                     *       "pageSize": 50
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookPage"];
                };
            };
            /**
             * @description - `field_invalid`: A parameter or a checked value is not accepted. Details: field, reason, max, errors, unknown.
             *     - `invalid_path`: The path is not in its canonical form.
             */
            400: components["responses"]["BadRequest"];
            /**
             * @description - `missing_auth_header`: The request has no Authorization header.
             *     - `invalid_token`: The Authorization header has no bearer token.
             *     - `invalid_api_key`: No key matches the token.
             *     - `api_key_revoked`: The key was revoked, which is permanent.
             *     - `api_key_expired`: The key has expired.
             *     - `api_key_owner_inactive`: The member's membership or account is disabled or was removed.
             */
            401: components["responses"]["Unauthorized"];
            /**
             * @description - `totp_enrollment_required`: The organization or a group requires two-factor authentication, and the member has not enrolled.
             *     - `insufficient_permissions`: The member lacks the organization permission that the endpoint requires.
             */
            403: components["responses"]["Forbidden"];
            /**
             * @description - `rate_limited`: The key is over its rate limit; wait for Retry-After seconds.
             *     - `too_many_unknown_keys`: The address sent too many requests with unknown or no tokens; wait for Retry-After seconds.
             */
            429: components["responses"]["TooManyRequests"];
            /** @description - `internal_error`: The server failed. */
            500: components["responses"]["InternalServerError"];
            /** @description - `service_unavailable`: The database does not respond or its disk is full, or too many requests wait for it; wait for Retry-After seconds. A write may have taken effect. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listWebhookBindings: {
        parameters: {
            query: {
                /**
                 * @description The page to read, from 1. `page` times `pageSize` is at most 100,000.
                 * @example 1
                 */
                page?: number;
                /**
                 * @description How many entries a page has at most.
                 * @example 50
                 */
                pageSize?: number;
                /**
                 * @description The id of the workspace, project or service.
                 * @example 019aa0f0-2345-7abc-8def-0123456789ab
                 */
                resourceId: string;
                /**
                 * @description What the resource is.
                 * @example project
                 */
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
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "id": "019aa0f1-7d8e-7f90-81a2-3d4e5f607182",
                     *           "webhookId": "019aa0f1-6c7d-7e8f-8091-2c3d4e5f6071",
                     *           "webhookName": "Pager",
                     *           "enabled": true,
                     *           "createdAt": "2026-11-01T08:00:00.000Z"
                     *         }
                     *       ],
                     *       "total": 1,
                     *       "page": 1,
                     *       "pageSize": 50
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookBindingPage"];
                };
            };
            /**
             * @description - `field_invalid`: A parameter or a checked value is not accepted. Details: field, reason, max, errors, unknown.
             *     - `field_required`: A required parameter or checked value is missing. Details: field, errors.
             *     - `invalid_uuid`: An id is not a UUID. Details: field, errors.
             *     - `invalid_path`: The path is not in its canonical form.
             */
            400: components["responses"]["BadRequest"];
            /**
             * @description - `missing_auth_header`: The request has no Authorization header.
             *     - `invalid_token`: The Authorization header has no bearer token.
             *     - `invalid_api_key`: No key matches the token.
             *     - `api_key_revoked`: The key was revoked, which is permanent.
             *     - `api_key_expired`: The key has expired.
             *     - `api_key_owner_inactive`: The member's membership or account is disabled or was removed.
             */
            401: components["responses"]["Unauthorized"];
            /**
             * @description - `totp_enrollment_required`: The organization or a group requires two-factor authentication, and the member has not enrolled.
             *     - `insufficient_permissions`: The member lacks the organization permission that the endpoint requires.
             */
            403: components["responses"]["Forbidden"];
            /** @description - `not_found`: The resource does not exist, or the member may not see or change it. Details: field. */
            404: components["responses"]["NotFound"];
            /**
             * @description - `rate_limited`: The key is over its rate limit; wait for Retry-After seconds.
             *     - `too_many_unknown_keys`: The address sent too many requests with unknown or no tokens; wait for Retry-After seconds.
             */
            429: components["responses"]["TooManyRequests"];
            /** @description - `internal_error`: The server failed. */
            500: components["responses"]["InternalServerError"];
            /** @description - `service_unavailable`: The database does not respond or its disk is full, or too many requests wait for it; wait for Retry-After seconds. A write may have taken effect. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createWebhookBinding: {
        parameters: {
            query: {
                /**
                 * @description The id of the workspace, project or service.
                 * @example 019aa0f0-2345-7abc-8def-0123456789ab
                 */
                resourceId: string;
                /**
                 * @description What the resource is.
                 * @example project
                 */
                resourceType: "workspace" | "project" | "service";
            };
            header?: {
                /**
                 * @description Makes the request safe to repeat: for 24 hours, a request of this API key with the same value and the same content gets the response of the first successful one again and changes nothing, if its member still has permission. Errors are not stored. Use a new value, such as a UUID, for each operation.
                 * @example 0b8a2f4e-6c1d-4f5a-9f3e-2d7c5b1a9e80
                 */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "webhookId": "019aa0f1-6c7d-7e8f-8091-2c3d4e5f6071",
                 *       "enabled": true
                 *     }
                 */
                "application/json": components["schemas"]["CreateWebhookBindingRequest"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "019aa0f1-7d8e-7f90-81a2-3d4e5f607182",
                     *       "webhookId": "019aa0f1-6c7d-7e8f-8091-2c3d4e5f6071",
                     *       "webhookName": "Pager",
                     *       "enabled": true,
                     *       "createdAt": "2026-11-01T08:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookBinding"];
                };
            };
            /**
             * @description - `field_invalid`: A parameter or a checked value is not accepted. Details: field, reason, max, errors, unknown.
             *     - `field_required`: A required parameter or checked value is missing. Details: field, errors.
             *     - `invalid_uuid`: An id is not a UUID. Details: field, errors.
             *     - `invalid_request_body`: The body is not a JSON object, or one of its fields is not accepted. Details: field, reason, errors.
             *     - `invalid_path`: The path is not in its canonical form.
             */
            400: components["responses"]["BadRequest"];
            /**
             * @description - `missing_auth_header`: The request has no Authorization header.
             *     - `invalid_token`: The Authorization header has no bearer token.
             *     - `invalid_api_key`: No key matches the token.
             *     - `api_key_revoked`: The key was revoked, which is permanent.
             *     - `api_key_expired`: The key has expired.
             *     - `api_key_owner_inactive`: The member's membership or account is disabled or was removed.
             */
            401: components["responses"]["Unauthorized"];
            /**
             * @description - `api_key_read_only`: A read key sent a method other than GET or HEAD.
             *     - `totp_enrollment_required`: The organization or a group requires two-factor authentication, and the member has not enrolled.
             *     - `insufficient_permissions`: The member lacks the organization permission that the endpoint requires.
             */
            403: components["responses"]["Forbidden"];
            /** @description - `not_found`: The resource does not exist, or the member may not see or change it. Details: field. */
            404: components["responses"]["NotFound"];
            /**
             * @description - `binding_exists`: The webhook is already bound to the resource. Details: field, id.
             *     - `idempotency_mismatch`: The `Idempotency-Key` was used for another request within 24 hours.
             *     - `idempotency_in_progress`: The first request with this `Idempotency-Key` is still running; wait for Retry-After seconds.
             */
            409: components["responses"]["Conflict"];
            /** @description - `request_body_too_large`: The request body is over the limit. Details: maxBytes. */
            413: components["responses"]["ContentTooLarge"];
            /**
             * @description - `rate_limited`: The key is over its rate limit; wait for Retry-After seconds.
             *     - `too_many_unknown_keys`: The address sent too many requests with unknown or no tokens; wait for Retry-After seconds.
             */
            429: components["responses"]["TooManyRequests"];
            /** @description - `internal_error`: The server failed. */
            500: components["responses"]["InternalServerError"];
            /** @description - `service_unavailable`: The database does not respond or its disk is full, or too many requests wait for it; wait for Retry-After seconds. A write may have taken effect. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteWebhookBinding: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the webhook binding.
                 * @example 019aa0f1-7d8e-7f90-81a2-3d4e5f607182
                 */
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
                    /**
                     * @example {
                     *       "ok": true
                     *     }
                     */
                    "application/json": components["schemas"]["Ok"];
                };
            };
            /**
             * @description - `invalid_uuid`: An id is not a UUID. Details: field, errors.
             *     - `invalid_request_body`: The body is not a JSON object, or one of its fields is not accepted. Details: field, reason, errors.
             *     - `invalid_path`: The path is not in its canonical form.
             */
            400: components["responses"]["BadRequest"];
            /**
             * @description - `missing_auth_header`: The request has no Authorization header.
             *     - `invalid_token`: The Authorization header has no bearer token.
             *     - `invalid_api_key`: No key matches the token.
             *     - `api_key_revoked`: The key was revoked, which is permanent.
             *     - `api_key_expired`: The key has expired.
             *     - `api_key_owner_inactive`: The member's membership or account is disabled or was removed.
             */
            401: components["responses"]["Unauthorized"];
            /**
             * @description - `api_key_read_only`: A read key sent a method other than GET or HEAD.
             *     - `totp_enrollment_required`: The organization or a group requires two-factor authentication, and the member has not enrolled.
             *     - `insufficient_permissions`: The member lacks the organization permission that the endpoint requires.
             */
            403: components["responses"]["Forbidden"];
            /** @description - `not_found`: The resource does not exist, or the member may not see or change it. Details: field. */
            404: components["responses"]["NotFound"];
            /** @description - `request_body_too_large`: The request body is over the limit. Details: maxBytes. */
            413: components["responses"]["ContentTooLarge"];
            /**
             * @description - `rate_limited`: The key is over its rate limit; wait for Retry-After seconds.
             *     - `too_many_unknown_keys`: The address sent too many requests with unknown or no tokens; wait for Retry-After seconds.
             */
            429: components["responses"]["TooManyRequests"];
            /** @description - `internal_error`: The server failed. */
            500: components["responses"]["InternalServerError"];
            /** @description - `service_unavailable`: The database does not respond or its disk is full, or too many requests wait for it; wait for Retry-After seconds. A write may have taken effect. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    updateWebhookBinding: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the webhook binding.
                 * @example 019aa0f1-7d8e-7f90-81a2-3d4e5f607182
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "enabled": false
                 *     }
                 */
                "application/json": components["schemas"]["UpdateWebhookBindingRequest"];
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
                    /**
                     * @example {
                     *       "id": "019aa0f1-7d8e-7f90-81a2-3d4e5f607182",
                     *       "webhookId": "019aa0f1-6c7d-7e8f-8091-2c3d4e5f6071",
                     *       "webhookName": "Pager",
                     *       "enabled": true,
                     *       "createdAt": "2026-11-01T08:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookBinding"];
                };
            };
            /**
             * @description - `field_required`: A required parameter or checked value is missing. Details: field, errors.
             *     - `invalid_uuid`: An id is not a UUID. Details: field, errors.
             *     - `invalid_request_body`: The body is not a JSON object, or one of its fields is not accepted. Details: field, reason, errors.
             *     - `invalid_path`: The path is not in its canonical form.
             */
            400: components["responses"]["BadRequest"];
            /**
             * @description - `missing_auth_header`: The request has no Authorization header.
             *     - `invalid_token`: The Authorization header has no bearer token.
             *     - `invalid_api_key`: No key matches the token.
             *     - `api_key_revoked`: The key was revoked, which is permanent.
             *     - `api_key_expired`: The key has expired.
             *     - `api_key_owner_inactive`: The member's membership or account is disabled or was removed.
             */
            401: components["responses"]["Unauthorized"];
            /**
             * @description - `api_key_read_only`: A read key sent a method other than GET or HEAD.
             *     - `totp_enrollment_required`: The organization or a group requires two-factor authentication, and the member has not enrolled.
             *     - `insufficient_permissions`: The member lacks the organization permission that the endpoint requires.
             */
            403: components["responses"]["Forbidden"];
            /** @description - `not_found`: The resource does not exist, or the member may not see or change it. Details: field. */
            404: components["responses"]["NotFound"];
            /** @description - `request_body_too_large`: The request body is over the limit. Details: maxBytes. */
            413: components["responses"]["ContentTooLarge"];
            /**
             * @description - `rate_limited`: The key is over its rate limit; wait for Retry-After seconds.
             *     - `too_many_unknown_keys`: The address sent too many requests with unknown or no tokens; wait for Retry-After seconds.
             */
            429: components["responses"]["TooManyRequests"];
            /** @description - `internal_error`: The server failed. */
            500: components["responses"]["InternalServerError"];
            /** @description - `service_unavailable`: The database does not respond or its disk is full, or too many requests wait for it; wait for Retry-After seconds. A write may have taken effect. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listWorkspaces: {
        parameters: {
            query?: {
                /**
                 * @description The page to read, from 1. `page` times `pageSize` is at most 100,000.
                 * @example 1
                 */
                page?: number;
                /**
                 * @description How many entries a page has at most.
                 * @example 50
                 */
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
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "id": "019aa0f0-3456-7abc-8def-0123456789ab",
                     *           "name": "Web shop",
                     *           "createdAt": "2026-11-01T08:00:00.000Z"
                     *         }
                     *       ],
                     *       "total": 1,
                     *       "page": 1,
                     *       "pageSize": 50
                     *     }
                     */
                    "application/json": components["schemas"]["WorkspacePage"];
                };
            };
            /**
             * @description - `field_invalid`: A parameter or a checked value is not accepted. Details: field, reason, max, errors, unknown.
             *     - `invalid_path`: The path is not in its canonical form.
             */
            400: components["responses"]["BadRequest"];
            /**
             * @description - `missing_auth_header`: The request has no Authorization header.
             *     - `invalid_token`: The Authorization header has no bearer token.
             *     - `invalid_api_key`: No key matches the token.
             *     - `api_key_revoked`: The key was revoked, which is permanent.
             *     - `api_key_expired`: The key has expired.
             *     - `api_key_owner_inactive`: The member's membership or account is disabled or was removed.
             */
            401: components["responses"]["Unauthorized"];
            /** @description - `totp_enrollment_required`: The organization or a group requires two-factor authentication, and the member has not enrolled. */
            403: components["responses"]["Forbidden"];
            /**
             * @description - `rate_limited`: The key is over its rate limit; wait for Retry-After seconds.
             *     - `too_many_unknown_keys`: The address sent too many requests with unknown or no tokens; wait for Retry-After seconds.
             */
            429: components["responses"]["TooManyRequests"];
            /** @description - `internal_error`: The server failed. */
            500: components["responses"]["InternalServerError"];
            /** @description - `service_unavailable`: The database does not respond or its disk is full, or too many requests wait for it; wait for Retry-After seconds. A write may have taken effect. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createWorkspace: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes the request safe to repeat: for 24 hours, a request of this API key with the same value and the same content gets the response of the first successful one again and changes nothing, if its member still has permission. Errors are not stored. Use a new value, such as a UUID, for each operation.
                 * @example 0b8a2f4e-6c1d-4f5a-9f3e-2d7c5b1a9e80
                 */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Web shop"
                 *     }
                 */
                "application/json": components["schemas"]["CreateWorkspaceRequest"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "019aa0f0-3456-7abc-8def-0123456789ab",
                     *       "name": "Web shop",
                     *       "createdAt": "2026-11-01T08:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Workspace"];
                };
            };
            /**
             * @description - `field_invalid`: A parameter or a checked value is not accepted. Details: field, reason, max, errors, unknown.
             *     - `invalid_request_body`: The body is not a JSON object, or one of its fields is not accepted. Details: field, reason, errors.
             *     - `invalid_path`: The path is not in its canonical form.
             */
            400: components["responses"]["BadRequest"];
            /**
             * @description - `missing_auth_header`: The request has no Authorization header.
             *     - `invalid_token`: The Authorization header has no bearer token.
             *     - `invalid_api_key`: No key matches the token.
             *     - `api_key_revoked`: The key was revoked, which is permanent.
             *     - `api_key_expired`: The key has expired.
             *     - `api_key_owner_inactive`: The member's membership or account is disabled or was removed.
             */
            401: components["responses"]["Unauthorized"];
            /**
             * @description - `api_key_read_only`: A read key sent a method other than GET or HEAD.
             *     - `totp_enrollment_required`: The organization or a group requires two-factor authentication, and the member has not enrolled.
             *     - `insufficient_permissions`: The member lacks the organization permission that the endpoint requires.
             */
            403: components["responses"]["Forbidden"];
            /** @description - `not_found`: The resource does not exist, or the member may not see or change it. Details: field. */
            404: components["responses"]["NotFound"];
            /**
             * @description - `already_exists`: A resource with this name or key already exists. Details: field, id.
             *     - `idempotency_mismatch`: The `Idempotency-Key` was used for another request within 24 hours.
             *     - `idempotency_in_progress`: The first request with this `Idempotency-Key` is still running; wait for Retry-After seconds.
             */
            409: components["responses"]["Conflict"];
            /** @description - `request_body_too_large`: The request body is over the limit. Details: maxBytes. */
            413: components["responses"]["ContentTooLarge"];
            /**
             * @description - `rate_limited`: The key is over its rate limit; wait for Retry-After seconds.
             *     - `too_many_unknown_keys`: The address sent too many requests with unknown or no tokens; wait for Retry-After seconds.
             */
            429: components["responses"]["TooManyRequests"];
            /** @description - `internal_error`: The server failed. */
            500: components["responses"]["InternalServerError"];
            /** @description - `service_unavailable`: The database does not respond or its disk is full, or too many requests wait for it; wait for Retry-After seconds. A write may have taken effect. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getWorkspace: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the workspace.
                 * @example 019aa0f0-3456-7abc-8def-0123456789ab
                 */
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
                    /**
                     * @example {
                     *       "id": "019aa0f0-3456-7abc-8def-0123456789ab",
                     *       "name": "Web shop",
                     *       "createdAt": "2026-11-01T08:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Workspace"];
                };
            };
            /**
             * @description - `invalid_uuid`: An id is not a UUID. Details: field, errors.
             *     - `invalid_path`: The path is not in its canonical form.
             */
            400: components["responses"]["BadRequest"];
            /**
             * @description - `missing_auth_header`: The request has no Authorization header.
             *     - `invalid_token`: The Authorization header has no bearer token.
             *     - `invalid_api_key`: No key matches the token.
             *     - `api_key_revoked`: The key was revoked, which is permanent.
             *     - `api_key_expired`: The key has expired.
             *     - `api_key_owner_inactive`: The member's membership or account is disabled or was removed.
             */
            401: components["responses"]["Unauthorized"];
            /** @description - `totp_enrollment_required`: The organization or a group requires two-factor authentication, and the member has not enrolled. */
            403: components["responses"]["Forbidden"];
            /** @description - `not_found`: The resource does not exist, or the member may not see or change it. Details: field. */
            404: components["responses"]["NotFound"];
            /**
             * @description - `rate_limited`: The key is over its rate limit; wait for Retry-After seconds.
             *     - `too_many_unknown_keys`: The address sent too many requests with unknown or no tokens; wait for Retry-After seconds.
             */
            429: components["responses"]["TooManyRequests"];
            /** @description - `internal_error`: The server failed. */
            500: components["responses"]["InternalServerError"];
            /** @description - `service_unavailable`: The database does not respond or its disk is full, or too many requests wait for it; wait for Retry-After seconds. A write may have taken effect. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteWorkspace: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the workspace.
                 * @example 019aa0f0-3456-7abc-8def-0123456789ab
                 */
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
                    /**
                     * @example {
                     *       "ok": true
                     *     }
                     */
                    "application/json": components["schemas"]["Ok"];
                };
            };
            /**
             * @description - `invalid_uuid`: An id is not a UUID. Details: field, errors.
             *     - `invalid_request_body`: The body is not a JSON object, or one of its fields is not accepted. Details: field, reason, errors.
             *     - `invalid_path`: The path is not in its canonical form.
             */
            400: components["responses"]["BadRequest"];
            /**
             * @description - `missing_auth_header`: The request has no Authorization header.
             *     - `invalid_token`: The Authorization header has no bearer token.
             *     - `invalid_api_key`: No key matches the token.
             *     - `api_key_revoked`: The key was revoked, which is permanent.
             *     - `api_key_expired`: The key has expired.
             *     - `api_key_owner_inactive`: The member's membership or account is disabled or was removed.
             */
            401: components["responses"]["Unauthorized"];
            /**
             * @description - `api_key_read_only`: A read key sent a method other than GET or HEAD.
             *     - `totp_enrollment_required`: The organization or a group requires two-factor authentication, and the member has not enrolled.
             */
            403: components["responses"]["Forbidden"];
            /** @description - `not_found`: The resource does not exist, or the member may not see or change it. Details: field. */
            404: components["responses"]["NotFound"];
            /** @description - `request_body_too_large`: The request body is over the limit. Details: maxBytes. */
            413: components["responses"]["ContentTooLarge"];
            /**
             * @description - `rate_limited`: The key is over its rate limit; wait for Retry-After seconds.
             *     - `too_many_unknown_keys`: The address sent too many requests with unknown or no tokens; wait for Retry-After seconds.
             */
            429: components["responses"]["TooManyRequests"];
            /** @description - `internal_error`: The server failed. */
            500: components["responses"]["InternalServerError"];
            /** @description - `service_unavailable`: The database does not respond or its disk is full, or too many requests wait for it; wait for Retry-After seconds. A write may have taken effect. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    renameWorkspace: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the workspace.
                 * @example 019aa0f0-3456-7abc-8def-0123456789ab
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Web shop"
                 *     }
                 */
                "application/json": components["schemas"]["RenameWorkspaceRequest"];
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
                    /**
                     * @example {
                     *       "id": "019aa0f0-3456-7abc-8def-0123456789ab",
                     *       "name": "Web shop",
                     *       "createdAt": "2026-11-01T08:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Workspace"];
                };
            };
            /**
             * @description - `invalid_uuid`: An id is not a UUID. Details: field, errors.
             *     - `invalid_request_body`: The body is not a JSON object, or one of its fields is not accepted. Details: field, reason, errors.
             *     - `invalid_path`: The path is not in its canonical form.
             */
            400: components["responses"]["BadRequest"];
            /**
             * @description - `missing_auth_header`: The request has no Authorization header.
             *     - `invalid_token`: The Authorization header has no bearer token.
             *     - `invalid_api_key`: No key matches the token.
             *     - `api_key_revoked`: The key was revoked, which is permanent.
             *     - `api_key_expired`: The key has expired.
             *     - `api_key_owner_inactive`: The member's membership or account is disabled or was removed.
             */
            401: components["responses"]["Unauthorized"];
            /**
             * @description - `api_key_read_only`: A read key sent a method other than GET or HEAD.
             *     - `totp_enrollment_required`: The organization or a group requires two-factor authentication, and the member has not enrolled.
             */
            403: components["responses"]["Forbidden"];
            /** @description - `not_found`: The resource does not exist, or the member may not see or change it. Details: field. */
            404: components["responses"]["NotFound"];
            /** @description - `already_exists`: A resource with this name or key already exists. Details: field, id. */
            409: components["responses"]["Conflict"];
            /** @description - `request_body_too_large`: The request body is over the limit. Details: maxBytes. */
            413: components["responses"]["ContentTooLarge"];
            /**
             * @description - `rate_limited`: The key is over its rate limit; wait for Retry-After seconds.
             *     - `too_many_unknown_keys`: The address sent too many requests with unknown or no tokens; wait for Retry-After seconds.
             */
            429: components["responses"]["TooManyRequests"];
            /** @description - `internal_error`: The server failed. */
            500: components["responses"]["InternalServerError"];
            /** @description - `service_unavailable`: The database does not respond or its disk is full, or too many requests wait for it; wait for Retry-After seconds. A write may have taken effect. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getWorkspaceMetrics: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the workspace.
                 * @example 019aa0f0-3456-7abc-8def-0123456789ab
                 */
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
                    /**
                     * @example {
                     *       "counters": {
                     *         "probesTotal": 1440,
                     *         "probesSuccess": 1432,
                     *         "probesFailure": 6,
                     *         "probesTimeout": 2
                     *       },
                     *       "state": {
                     *         "lastStatus": "success",
                     *         "lastConsecutive": 122,
                     *         "lastResponseMs": 184,
                     *         "lastRunAt": 1795177800
                     *       },
                     *       "percentiles": {
                     *         "p50": 176,
                     *         "p95": 312,
                     *         "p99": 540
                     *       },
                     *       "serviceCount": 3,
                     *       "projectCount": 1
                     *     }
                     */
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
            400: components["responses"]["BadRequest"];
            /**
             * @description - `missing_auth_header`: The request has no Authorization header.
             *     - `invalid_token`: The Authorization header has no bearer token.
             *     - `invalid_api_key`: No key matches the token.
             *     - `api_key_revoked`: The key was revoked, which is permanent.
             *     - `api_key_expired`: The key has expired.
             *     - `api_key_owner_inactive`: The member's membership or account is disabled or was removed.
             */
            401: components["responses"]["Unauthorized"];
            /** @description - `totp_enrollment_required`: The organization or a group requires two-factor authentication, and the member has not enrolled. */
            403: components["responses"]["Forbidden"];
            /** @description - `not_found`: The resource does not exist, or the member may not see or change it. Details: field. */
            404: components["responses"]["NotFound"];
            /**
             * @description - `rate_limited`: The key is over its rate limit; wait for Retry-After seconds.
             *     - `too_many_unknown_keys`: The address sent too many requests with unknown or no tokens; wait for Retry-After seconds.
             */
            429: components["responses"]["TooManyRequests"];
            /** @description - `internal_error`: The server failed. */
            500: components["responses"]["InternalServerError"];
            /** @description - `service_unavailable`: The database does not respond or its disk is full, or too many requests wait for it; wait for Retry-After seconds. A write may have taken effect. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getWorkspaceMetricsHistory: {
        parameters: {
            query?: {
                /**
                 * @description How many whole UTC hours to read, the current one included.
                 * @example 24
                 */
                hours?: number;
            };
            header?: never;
            path: {
                /**
                 * @description The id of the workspace.
                 * @example 019aa0f0-3456-7abc-8def-0123456789ab
                 */
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
                    /**
                     * @example [
                     *       {
                     *         "hour": "2026-11-20T12:00:00.000Z",
                     *         "total": 12,
                     *         "success": 11,
                     *         "failure": 1,
                     *         "timeout": 0,
                     *         "sumMs": 2208,
                     *         "callCount": 24
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["HourlyBucket"][];
                };
            };
            /**
             * @description - `field_invalid`: A parameter or a checked value is not accepted. Details: field, reason, max, errors, unknown.
             *     - `invalid_uuid`: An id is not a UUID. Details: field, errors.
             *     - `invalid_path`: The path is not in its canonical form.
             */
            400: components["responses"]["BadRequest"];
            /**
             * @description - `missing_auth_header`: The request has no Authorization header.
             *     - `invalid_token`: The Authorization header has no bearer token.
             *     - `invalid_api_key`: No key matches the token.
             *     - `api_key_revoked`: The key was revoked, which is permanent.
             *     - `api_key_expired`: The key has expired.
             *     - `api_key_owner_inactive`: The member's membership or account is disabled or was removed.
             */
            401: components["responses"]["Unauthorized"];
            /** @description - `totp_enrollment_required`: The organization or a group requires two-factor authentication, and the member has not enrolled. */
            403: components["responses"]["Forbidden"];
            /** @description - `not_found`: The resource does not exist, or the member may not see or change it. Details: field. */
            404: components["responses"]["NotFound"];
            /**
             * @description - `rate_limited`: The key is over its rate limit; wait for Retry-After seconds.
             *     - `too_many_unknown_keys`: The address sent too many requests with unknown or no tokens; wait for Retry-After seconds.
             */
            429: components["responses"]["TooManyRequests"];
            /** @description - `internal_error`: The server failed. */
            500: components["responses"]["InternalServerError"];
            /** @description - `service_unavailable`: The database does not respond or its disk is full, or too many requests wait for it; wait for Retry-After seconds. A write may have taken effect. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    runWorkspace: {
        parameters: {
            query?: {
                /**
                 * @description How many seconds to wait for the end: the response is sent when everything is done, or after this time with the current state. A request that waits counts once against the rate limit.
                 * @example 30
                 */
                wait?: number;
            };
            header?: {
                /**
                 * @description Makes the request safe to repeat: for 24 hours, a request of this API key with the same value and the same content gets the response of the first successful one again and changes nothing, if its member still has permission. Errors are not stored. Use a new value, such as a UUID, for each operation.
                 * @example 0b8a2f4e-6c1d-4f5a-9f3e-2d7c5b1a9e80
                 */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description The id of the workspace.
                 * @example 019aa0f0-3456-7abc-8def-0123456789ab
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "variables": {
                 *         "s.base": "https://preview-42.shop.example"
                 *       },
                 *       "note": "deploy 42",
                 *       "label": "checkout",
                 *       "state": "failed"
                 *     }
                 */
                "application/json": components["schemas"]["RunWorkspaceRequest"];
            };
        };
        responses: {
            /** @description Accepted: the work is done asynchronously. */
            202: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "019aa0f4-7b2c-7d3e-8f4a-5b6c7d8e9f0a",
                     *       "url": "https://soundline.example.com/batches/019aa0f4-7b2c-7d3e-8f4a-5b6c7d8e9f0a",
                     *       "state": "done",
                     *       "requestedAt": "2026-11-20T12:30:00.000Z",
                     *       "createdAt": "2026-11-20T12:30:00.000Z",
                     *       "note": "deploy 42",
                     *       "total": 1,
                     *       "passed": 0,
                     *       "failed": 1,
                     *       "timedOut": 0,
                     *       "incomplete": 0,
                     *       "skipped": 0,
                     *       "cancelled": 0,
                     *       "pending": 0,
                     *       "runs": [
                     *         {
                     *           "serviceId": "019aa0f0-1234-7abc-8def-0123456789ab",
                     *           "serviceName": "Checkout",
                     *           "runId": "019aa0f4-8c3d-7e4f-9a5b-6c7d8e9f0a1b",
                     *           "url": "https://soundline.example.com/services/019aa0f0-1234-7abc-8def-0123456789ab/runs/019aa0f4-8c3d-7e4f-9a5b-6c7d8e9f0a1b",
                     *           "state": "done",
                     *           "outcome": "failure",
                     *           "summary": "GET https://shop.example/cart: status 500, expected 200",
                     *           "skippedAgents": [
                     *             {
                     *               "agentSlug": "frankfurt",
                     *               "reason": "the agent frankfurt was not connected"
                     *             }
                     *           ],
                     *           "reason": null
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Batch"];
                };
            };
            /**
             * @description - `field_invalid`: A parameter or a checked value is not accepted. Details: field, reason, max, errors, unknown.
             *     - `invalid_uuid`: An id is not a UUID. Details: field, errors.
             *     - `invalid_request_body`: The body is not a JSON object, or one of its fields is not accepted. Details: field, reason, errors.
             *     - `invalid_path`: The path is not in its canonical form.
             */
            400: components["responses"]["BadRequest"];
            /**
             * @description - `missing_auth_header`: The request has no Authorization header.
             *     - `invalid_token`: The Authorization header has no bearer token.
             *     - `invalid_api_key`: No key matches the token.
             *     - `api_key_revoked`: The key was revoked, which is permanent.
             *     - `api_key_expired`: The key has expired.
             *     - `api_key_owner_inactive`: The member's membership or account is disabled or was removed.
             */
            401: components["responses"]["Unauthorized"];
            /**
             * @description - `api_key_read_only`: A read key sent a method other than GET or HEAD.
             *     - `totp_enrollment_required`: The organization or a group requires two-factor authentication, and the member has not enrolled.
             */
            403: components["responses"]["Forbidden"];
            /** @description - `not_found`: The resource does not exist, or the member may not see or change it. Details: field. */
            404: components["responses"]["NotFound"];
            /**
             * @description - `idempotency_mismatch`: The `Idempotency-Key` was used for another request within 24 hours.
             *     - `idempotency_in_progress`: The first request with this `Idempotency-Key` is still running; wait for Retry-After seconds.
             */
            409: components["responses"]["Conflict"];
            /** @description - `request_body_too_large`: The request body is over the limit. Details: maxBytes. */
            413: components["responses"]["ContentTooLarge"];
            /**
             * @description - `rate_limited`: The key is over its rate limit; wait for Retry-After seconds.
             *     - `too_many_unknown_keys`: The address sent too many requests with unknown or no tokens; wait for Retry-After seconds.
             */
            429: components["responses"]["TooManyRequests"];
            /** @description - `internal_error`: The server failed. */
            500: components["responses"]["InternalServerError"];
            /** @description - `service_unavailable`: The database does not respond or its disk is full, or too many requests wait for it; wait for Retry-After seconds. A write may have taken effect. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    toggleWorkspaceServices: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the workspace.
                 * @example 019aa0f0-3456-7abc-8def-0123456789ab
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "isActive": true
                 *     }
                 */
                "application/json": components["schemas"]["ToggleWorkspaceServicesRequest"];
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
                    /**
                     * @example {
                     *       "matched": 12,
                     *       "changed": 9,
                     *       "unchanged": 2,
                     *       "skipped": [
                     *         {
                     *           "serviceId": "019aa0f0-1234-7abc-8def-0123456789ab",
                     *           "name": "Checkout",
                     *           "reason": "script_missing"
                     *         }
                     *       ],
                     *       "skippedTotal": 1,
                     *       "skippedByReason": {
                     *         "script_missing": 1
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ToggleResult"];
                };
            };
            /**
             * @description - `invalid_uuid`: An id is not a UUID. Details: field, errors.
             *     - `invalid_request_body`: The body is not a JSON object, or one of its fields is not accepted. Details: field, reason, errors.
             *     - `invalid_path`: The path is not in its canonical form.
             */
            400: components["responses"]["BadRequest"];
            /**
             * @description - `missing_auth_header`: The request has no Authorization header.
             *     - `invalid_token`: The Authorization header has no bearer token.
             *     - `invalid_api_key`: No key matches the token.
             *     - `api_key_revoked`: The key was revoked, which is permanent.
             *     - `api_key_expired`: The key has expired.
             *     - `api_key_owner_inactive`: The member's membership or account is disabled or was removed.
             */
            401: components["responses"]["Unauthorized"];
            /**
             * @description - `api_key_read_only`: A read key sent a method other than GET or HEAD.
             *     - `totp_enrollment_required`: The organization or a group requires two-factor authentication, and the member has not enrolled.
             */
            403: components["responses"]["Forbidden"];
            /** @description - `not_found`: The resource does not exist, or the member may not see or change it. Details: field. */
            404: components["responses"]["NotFound"];
            /** @description - `request_body_too_large`: The request body is over the limit. Details: maxBytes. */
            413: components["responses"]["ContentTooLarge"];
            /**
             * @description - `rate_limited`: The key is over its rate limit; wait for Retry-After seconds.
             *     - `too_many_unknown_keys`: The address sent too many requests with unknown or no tokens; wait for Retry-After seconds.
             */
            429: components["responses"]["TooManyRequests"];
            /** @description - `internal_error`: The server failed. */
            500: components["responses"]["InternalServerError"];
            /** @description - `service_unavailable`: The database does not respond or its disk is full, or too many requests wait for it; wait for Retry-After seconds. A write may have taken effect. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listWorkspaceVariables: {
        parameters: {
            query?: {
                /**
                 * @description The page to read, from 1. `page` times `pageSize` is at most 100,000.
                 * @example 1
                 */
                page?: number;
                /**
                 * @description How many entries a page has at most.
                 * @example 50
                 */
                pageSize?: number;
            };
            header?: never;
            path: {
                /**
                 * @description The id of the workspace.
                 * @example 019aa0f0-3456-7abc-8def-0123456789ab
                 */
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
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "id": "019aa0f1-4a5b-7c6d-8e7f-0a1b2c3d4e5f",
                     *           "key": "base_url",
                     *           "value": "••••••",
                     *           "type": "variable",
                     *           "masked": true,
                     *           "systemType": null,
                     *           "isScriptWritten": false,
                     *           "allowedHosts": [],
                     *           "createdAt": "2026-11-01T08:00:00.000Z",
                     *           "updatedAt": "2026-11-20T12:30:00.000Z"
                     *         }
                     *       ],
                     *       "total": 1,
                     *       "page": 1,
                     *       "pageSize": 50
                     *     }
                     */
                    "application/json": components["schemas"]["VariablePage"];
                };
            };
            /**
             * @description - `field_invalid`: A parameter or a checked value is not accepted. Details: field, reason, max, errors, unknown.
             *     - `invalid_uuid`: An id is not a UUID. Details: field, errors.
             *     - `invalid_path`: The path is not in its canonical form.
             */
            400: components["responses"]["BadRequest"];
            /**
             * @description - `missing_auth_header`: The request has no Authorization header.
             *     - `invalid_token`: The Authorization header has no bearer token.
             *     - `invalid_api_key`: No key matches the token.
             *     - `api_key_revoked`: The key was revoked, which is permanent.
             *     - `api_key_expired`: The key has expired.
             *     - `api_key_owner_inactive`: The member's membership or account is disabled or was removed.
             */
            401: components["responses"]["Unauthorized"];
            /** @description - `totp_enrollment_required`: The organization or a group requires two-factor authentication, and the member has not enrolled. */
            403: components["responses"]["Forbidden"];
            /** @description - `not_found`: The resource does not exist, or the member may not see or change it. Details: field. */
            404: components["responses"]["NotFound"];
            /**
             * @description - `rate_limited`: The key is over its rate limit; wait for Retry-After seconds.
             *     - `too_many_unknown_keys`: The address sent too many requests with unknown or no tokens; wait for Retry-After seconds.
             */
            429: components["responses"]["TooManyRequests"];
            /** @description - `internal_error`: The server failed. */
            500: components["responses"]["InternalServerError"];
            /** @description - `service_unavailable`: The database does not respond or its disk is full, or too many requests wait for it; wait for Retry-After seconds. A write may have taken effect. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createWorkspaceVariable: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes the request safe to repeat: for 24 hours, a request of this API key with the same value and the same content gets the response of the first successful one again and changes nothing, if its member still has permission. Errors are not stored. Use a new value, such as a UUID, for each operation.
                 * @example 0b8a2f4e-6c1d-4f5a-9f3e-2d7c5b1a9e80
                 */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description The id of the workspace.
                 * @example 019aa0f0-3456-7abc-8def-0123456789ab
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "key": "base_url",
                 *       "value": "https://shop.example",
                 *       "type": "secret",
                 *       "allowedHosts": [
                 *         "api.example.com",
                 *         "*.example.net:8443"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["CreateWorkspaceVariableRequest"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "019aa0f1-4a5b-7c6d-8e7f-0a1b2c3d4e5f",
                     *       "key": "base_url",
                     *       "value": "••••••",
                     *       "type": "variable",
                     *       "masked": true,
                     *       "systemType": null,
                     *       "isScriptWritten": false,
                     *       "allowedHosts": [],
                     *       "createdAt": "2026-11-01T08:00:00.000Z",
                     *       "updatedAt": "2026-11-20T12:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Variable"];
                };
            };
            /**
             * @description - `field_invalid`: A parameter or a checked value is not accepted. Details: field, reason, max, errors, unknown.
             *     - `invalid_uuid`: An id is not a UUID. Details: field, errors.
             *     - `invalid_request_body`: The body is not a JSON object, or one of its fields is not accepted. Details: field, reason, errors.
             *     - `invalid_path`: The path is not in its canonical form.
             *     - `variable_limit_reached`: The scope has reached its limit of variables. Details: max.
             *     - `reserved_key`: A computed variable of the scope has this name. Details: key.
             */
            400: components["responses"]["BadRequest"];
            /**
             * @description - `missing_auth_header`: The request has no Authorization header.
             *     - `invalid_token`: The Authorization header has no bearer token.
             *     - `invalid_api_key`: No key matches the token.
             *     - `api_key_revoked`: The key was revoked, which is permanent.
             *     - `api_key_expired`: The key has expired.
             *     - `api_key_owner_inactive`: The member's membership or account is disabled or was removed.
             */
            401: components["responses"]["Unauthorized"];
            /**
             * @description - `api_key_read_only`: A read key sent a method other than GET or HEAD.
             *     - `totp_enrollment_required`: The organization or a group requires two-factor authentication, and the member has not enrolled.
             */
            403: components["responses"]["Forbidden"];
            /** @description - `not_found`: The resource does not exist, or the member may not see or change it. Details: field. */
            404: components["responses"]["NotFound"];
            /**
             * @description - `already_exists`: A resource with this name or key already exists. Details: field, id.
             *     - `idempotency_mismatch`: The `Idempotency-Key` was used for another request within 24 hours.
             *     - `idempotency_in_progress`: The first request with this `Idempotency-Key` is still running; wait for Retry-After seconds.
             */
            409: components["responses"]["Conflict"];
            /** @description - `request_body_too_large`: The request body is over the limit. Details: maxBytes. */
            413: components["responses"]["ContentTooLarge"];
            /**
             * @description - `rate_limited`: The key is over its rate limit; wait for Retry-After seconds.
             *     - `too_many_unknown_keys`: The address sent too many requests with unknown or no tokens; wait for Retry-After seconds.
             */
            429: components["responses"]["TooManyRequests"];
            /** @description - `internal_error`: The server failed. */
            500: components["responses"]["InternalServerError"];
            /** @description - `service_unavailable`: The database does not respond or its disk is full, or too many requests wait for it; wait for Retry-After seconds. A write may have taken effect. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteWorkspaceVariable: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the workspace.
                 * @example 019aa0f0-3456-7abc-8def-0123456789ab
                 */
                id: string;
                /**
                 * @description The id of the variable.
                 * @example 019aa0f1-4a5b-7c6d-8e7f-0a1b2c3d4e5f
                 */
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
                    /**
                     * @example {
                     *       "ok": true
                     *     }
                     */
                    "application/json": components["schemas"]["Ok"];
                };
            };
            /**
             * @description - `invalid_uuid`: An id is not a UUID. Details: field, errors.
             *     - `invalid_request_body`: The body is not a JSON object, or one of its fields is not accepted. Details: field, reason, errors.
             *     - `invalid_path`: The path is not in its canonical form.
             *     - `system_variable`: Soundline creates this variable for every service; it cannot be deleted. Details: key.
             */
            400: components["responses"]["BadRequest"];
            /**
             * @description - `missing_auth_header`: The request has no Authorization header.
             *     - `invalid_token`: The Authorization header has no bearer token.
             *     - `invalid_api_key`: No key matches the token.
             *     - `api_key_revoked`: The key was revoked, which is permanent.
             *     - `api_key_expired`: The key has expired.
             *     - `api_key_owner_inactive`: The member's membership or account is disabled or was removed.
             */
            401: components["responses"]["Unauthorized"];
            /**
             * @description - `api_key_read_only`: A read key sent a method other than GET or HEAD.
             *     - `totp_enrollment_required`: The organization or a group requires two-factor authentication, and the member has not enrolled.
             */
            403: components["responses"]["Forbidden"];
            /** @description - `not_found`: The resource does not exist, or the member may not see or change it. Details: field. */
            404: components["responses"]["NotFound"];
            /** @description - `request_body_too_large`: The request body is over the limit. Details: maxBytes. */
            413: components["responses"]["ContentTooLarge"];
            /**
             * @description - `rate_limited`: The key is over its rate limit; wait for Retry-After seconds.
             *     - `too_many_unknown_keys`: The address sent too many requests with unknown or no tokens; wait for Retry-After seconds.
             */
            429: components["responses"]["TooManyRequests"];
            /** @description - `internal_error`: The server failed. */
            500: components["responses"]["InternalServerError"];
            /** @description - `service_unavailable`: The database does not respond or its disk is full, or too many requests wait for it; wait for Retry-After seconds. A write may have taken effect. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    updateWorkspaceVariable: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the workspace.
                 * @example 019aa0f0-3456-7abc-8def-0123456789ab
                 */
                id: string;
                /**
                 * @description The id of the variable.
                 * @example 019aa0f1-4a5b-7c6d-8e7f-0a1b2c3d4e5f
                 */
                varId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "value": "https://shop.example",
                 *       "allowedHosts": [
                 *         "api.example.com",
                 *         "*.example.net:8443"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["UpdateWorkspaceVariableRequest"];
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
                    /**
                     * @example {
                     *       "id": "019aa0f1-4a5b-7c6d-8e7f-0a1b2c3d4e5f",
                     *       "key": "base_url",
                     *       "value": "••••••",
                     *       "type": "variable",
                     *       "masked": true,
                     *       "systemType": null,
                     *       "isScriptWritten": false,
                     *       "allowedHosts": [],
                     *       "createdAt": "2026-11-01T08:00:00.000Z",
                     *       "updatedAt": "2026-11-20T12:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Variable"];
                };
            };
            /**
             * @description - `field_invalid`: A parameter or a checked value is not accepted. Details: field, reason, max, errors, unknown.
             *     - `invalid_uuid`: An id is not a UUID. Details: field, errors.
             *     - `invalid_request_body`: The body is not a JSON object, or one of its fields is not accepted. Details: field, reason, errors.
             *     - `invalid_path`: The path is not in its canonical form.
             *     - `readonly_variable`: Only scripts can write this variable. Details: key.
             */
            400: components["responses"]["BadRequest"];
            /**
             * @description - `missing_auth_header`: The request has no Authorization header.
             *     - `invalid_token`: The Authorization header has no bearer token.
             *     - `invalid_api_key`: No key matches the token.
             *     - `api_key_revoked`: The key was revoked, which is permanent.
             *     - `api_key_expired`: The key has expired.
             *     - `api_key_owner_inactive`: The member's membership or account is disabled or was removed.
             */
            401: components["responses"]["Unauthorized"];
            /**
             * @description - `api_key_read_only`: A read key sent a method other than GET or HEAD.
             *     - `totp_enrollment_required`: The organization or a group requires two-factor authentication, and the member has not enrolled.
             */
            403: components["responses"]["Forbidden"];
            /** @description - `not_found`: The resource does not exist, or the member may not see or change it. Details: field. */
            404: components["responses"]["NotFound"];
            /** @description - `request_body_too_large`: The request body is over the limit. Details: maxBytes. */
            413: components["responses"]["ContentTooLarge"];
            /**
             * @description - `rate_limited`: The key is over its rate limit; wait for Retry-After seconds.
             *     - `too_many_unknown_keys`: The address sent too many requests with unknown or no tokens; wait for Retry-After seconds.
             */
            429: components["responses"]["TooManyRequests"];
            /** @description - `internal_error`: The server failed. */
            500: components["responses"]["InternalServerError"];
            /** @description - `service_unavailable`: The database does not respond or its disk is full, or too many requests wait for it; wait for Retry-After seconds. A write may have taken effect. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getWorkspaceVariableHierarchy: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the workspace.
                 * @example 019aa0f0-3456-7abc-8def-0123456789ab
                 */
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
                    /**
                     * @example {
                     *       "scopes": [
                     *         {
                     *           "scope": "service",
                     *           "prefix": "$s.",
                     *           "resourceId": "019aa0f0-1234-7abc-8def-0123456789ab",
                     *           "resourceName": "Checkout",
                     *           "editable": true,
                     *           "variables": [
                     *             {
                     *               "id": "019aa0f1-4a5b-7c6d-8e7f-0a1b2c3d4e5f",
                     *               "key": "base_url",
                     *               "value": "••••••",
                     *               "type": "variable",
                     *               "masked": true,
                     *               "systemType": null,
                     *               "isScriptWritten": false,
                     *               "allowedHosts": [],
                     *               "createdAt": "2026-11-01T08:00:00.000Z",
                     *               "updatedAt": "2026-11-20T12:30:00.000Z"
                     *             }
                     *           ],
                     *           "locked": [
                     *             {
                     *               "key": "name",
                     *               "value": "Checkout",
                     *               "description": "The name of the service."
                     *             }
                     *           ]
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["VariableHierarchy"];
                };
            };
            /**
             * @description - `invalid_uuid`: An id is not a UUID. Details: field, errors.
             *     - `invalid_path`: The path is not in its canonical form.
             */
            400: components["responses"]["BadRequest"];
            /**
             * @description - `missing_auth_header`: The request has no Authorization header.
             *     - `invalid_token`: The Authorization header has no bearer token.
             *     - `invalid_api_key`: No key matches the token.
             *     - `api_key_revoked`: The key was revoked, which is permanent.
             *     - `api_key_expired`: The key has expired.
             *     - `api_key_owner_inactive`: The member's membership or account is disabled or was removed.
             */
            401: components["responses"]["Unauthorized"];
            /** @description - `totp_enrollment_required`: The organization or a group requires two-factor authentication, and the member has not enrolled. */
            403: components["responses"]["Forbidden"];
            /** @description - `not_found`: The resource does not exist, or the member may not see or change it. Details: field. */
            404: components["responses"]["NotFound"];
            /**
             * @description - `rate_limited`: The key is over its rate limit; wait for Retry-After seconds.
             *     - `too_many_unknown_keys`: The address sent too many requests with unknown or no tokens; wait for Retry-After seconds.
             */
            429: components["responses"]["TooManyRequests"];
            /** @description - `internal_error`: The server failed. */
            500: components["responses"]["InternalServerError"];
            /** @description - `service_unavailable`: The database does not respond or its disk is full, or too many requests wait for it; wait for Retry-After seconds. A write may have taken effect. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
}

/** Whether this build has the page of all components. */
declare const __COMPONENT_PAGE__: boolean;

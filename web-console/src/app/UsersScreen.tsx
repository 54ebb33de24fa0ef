import { ExplainDialog } from '@/features/roles/ExplainDialog';
import { UsersPage } from '@/features/users/UsersPage';

/** The users, each with the way to what their roles come to. */
export const UsersScreen = () => <UsersPage explain={ExplainDialog} />;

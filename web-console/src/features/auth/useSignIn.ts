import { useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { useDispatch } from 'react-redux';
import { useLoginMutation } from '@/api/api';
import { REQUEST_FAILED, isApiError } from '@/api/errors';
import { errorText } from '@/i18n/errorText';
import { signedIn } from '@/session/sessionSlice';

/** A form with the fields `email` and `password` that signs in. */
export function useSignIn() {
  const { t } = useTranslation('auth');
  const { t: common } = useTranslation('common');
  const dispatch = useDispatch();
  const [login, { isLoading }] = useLoginMutation();
  const [problem, setProblem] = useState<string | null>(null);

  // An answer without words of its own leaves the specification's.
  const problemText = (error: unknown) =>
    isApiError(error) && (error.status === 0 || error.message !== REQUEST_FAILED) ? errorText(error, common) : t('failed');

  const submit = async (form: FormData) => {
    const email = String(form.get('email')).trim();
    const password = String(form.get('password'));
    if (!email || !password) return setProblem(t('required'));
    setProblem(null);
    const answer = await login({ loginRequest: { email, password } });
    if (answer.data?.token && answer.data.user) {
      dispatch(signedIn({ token: answer.data.token, user: answer.data.user }));
    } else {
      setProblem(problemText(answer.error));
    }
  };

  return {
    busy: isLoading,
    problem,
    onSubmit: (event: FormEvent<HTMLFormElement>) => {
      event.preventDefault();
      void submit(new FormData(event.currentTarget));
    },
  };
}

import { MantineProvider, Menu } from '@mantine/core';
import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it, vi } from 'vitest';
import { lazyPopup, type PopupProps } from './lazyPopup';

function Panel({ control, opened, words }: PopupProps & { words: string }) {
  return (
    <>
      {control}
      {opened && <p>{words}</p>}
    </>
  );
}

function show(load: () => Promise<typeof Panel>) {
  const Popup = lazyPopup<{ words: string }>('dialog', load);
  render(
    <MantineProvider env="test" withCssVariables={false} withGlobalClasses={false}>
      <Popup words="inside" control={<button type="button">Open</button>} />
    </MantineProvider>,
  );
  return () => screen.getByRole('button', { name: 'Open' });
}

describe('a panel that is loaded when somebody comes near', () => {
  it('stands as a button, opens at the first press, and keeps the keyboard', async () => {
    const load = vi.fn(() => Promise.resolve(Panel));
    const button = show(load);
    expect([load.mock.calls.length, button().getAttribute('aria-haspopup')]).toEqual([0, 'dialog']);
    await userEvent.tab();
    expect(load).toHaveBeenCalledTimes(1);
    expect(screen.queryByText('inside')).toBeNull();
    await userEvent.keyboard('{Enter}');
    await screen.findByText('inside');
    expect([button(), button().getAttribute('aria-expanded')]).toEqual([document.activeElement, 'true']);
    await userEvent.keyboard('{Enter}');
    expect(screen.queryByText('inside')).toBeNull();
  });

  it.each(['{ArrowDown}', '{Enter}', ' '])('is a menu that the key "%s" opens, and Escape leaves', async (key) => {
    const Choices = lazyPopup('menu', () =>
      Promise.resolve(({ control, ...popup }: PopupProps) => (
        <Menu {...popup}>
          <Menu.Target>{control}</Menu.Target>
          <Menu.Dropdown>
            <Menu.Item>One</Menu.Item>
          </Menu.Dropdown>
        </Menu>
      )),
    );
    render(
      <MantineProvider env="test" withCssVariables={false} withGlobalClasses={false}>
        <Choices control={<button type="button">Open</button>} />
      </MantineProvider>,
    );
    for (const time of ['loads', 'is there']) {
      screen.getByRole('button', { name: 'Open' }).focus();
      await userEvent.keyboard(key);
      const menu = await screen.findByRole('menu');
      await waitFor(() => expect(menu.contains(document.activeElement), time).toBe(true));
      await userEvent.keyboard('{Escape}');
      await waitFor(() => expect(document.activeElement?.textContent).toBe('Open'));
    }
  });

  it('comes at the next press when its code did not come', async () => {
    const load = vi.fn<() => Promise<typeof Panel>>().mockRejectedValue(new Error('offline'));
    const button = show(load);
    await userEvent.click(button());
    // For the pointer, for the keyboard, and for the press.
    await waitFor(() => expect(load).toHaveBeenCalledTimes(3));
    load.mockResolvedValue(Panel);
    await userEvent.click(button());
    expect(await screen.findByText('inside')).toBeTruthy();
  });
});

package io.tarpon.gateway.flow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tarpon.wire.http.ProblemType;
import io.tarpon.wire.http.TarponException;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.Test;

class HeapBudgetTest {
    private final HeapBudget budget = new HeapBudget(100);

    @Test
    void moreThanIsLeftIsRefusedAndTheRestStaysHeld() {
        var first = budget.charge();
        var second = budget.charge();
        first.grow(60);
        second.grow(40);
        assertThatThrownBy(() -> second.grow(1))
                .isInstanceOfSatisfying(
                        TarponException.class, e -> assertThat(e.type()).isEqualTo(ProblemType.OVERLOADED));
        assertThat(budget.taken()).isEqualTo(100);
        first.shrinkTo(10);
        second.grow(50);
        second.shrink(50);
        assertThat(budget.taken()).isEqualTo(50);
    }

    @Test
    void whatNeedsMoreThanThereIsAtAllIsToldSo() {
        var charge = budget.charge();
        charge.grow(60);
        assertThatThrownBy(() -> charge.grow(41))
                .isInstanceOfSatisfying(
                        TarponException.class, e -> assertThat(e.type()).isEqualTo(ProblemType.INSUFFICIENT_STORAGE));
        assertThat(budget.taken()).isEqualTo(60);
    }

    @Test
    void whatIsClosedHoldsNothingAndCannotGrow() {
        var charge = budget.charge();
        charge.grow(80);
        charge.close();
        charge.close();
        charge.shrink(5);
        charge.shrinkTo(0);
        assertThat(budget.taken()).isZero();
        assertThatThrownBy(() -> charge.grow(1)).isInstanceOf(CancellationException.class);
        assertThat(budget.taken()).isZero();
    }
}
